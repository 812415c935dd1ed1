//! Landmarks.
use crate::reduce::Reduced;
use crate::relaxed::Relaxed;
#[derive(Debug)]
pub(crate) struct Landmarks {}
#[derive(Debug)]
pub(crate) struct Progress {}
impl Landmarks {
    pub(crate) fn find(_relaxed: &Relaxed, _reduced: &Reduced) -> Self {
        Landmarks {}
    }
    pub(crate) fn is_useful(&self) -> bool {
        false
    }
}
impl Progress {
    pub(crate) fn new(_l: &Landmarks) -> Self {
        Progress {}
    }
    pub(crate) fn start(&mut self, _l: &Landmarks, _s: &[u64]) {}
    pub(crate) fn follow(&mut self, _l: &Landmarks, _from: u32, _s: &[u64]) {}
    pub(crate) fn left(&self, _l: &Landmarks, _n: u32, _s: &[u64]) -> u32 {
        0
    }
    pub(crate) fn bytes(&self) -> usize {
        0
    }
}
