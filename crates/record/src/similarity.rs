//! How similar two segments are: by the words of their views, and by where they are where there are
//! no words.
//!
//! On its own because it is one of the three parts that a user may replace.

use crate::assignment::best_pairs;
use crate::outline::Outline;
use crate::segment::Segment;
use crate::words::{Word, words_of_text};
use std::collections::BTreeMap;

/// A screen and its segments.
pub type Parted<'a> = (&'a Outline<'a>, &'a [Segment]);

/// How similar the segments of two screens are: the `Similarity` of the paper.
pub trait Similarity: Send + Sync {
    /// A row for each segment of the first screen, a column for each of the second; from 0 to 1.
    fn table(&self, one: Parted<'_>, other: Parted<'_>) -> Vec<Vec<f64>>;
}

/// The words of each segment as a document, weighted by how few segments of both screens have them
/// (tf-idf), compared by the cosine; and a little for the place, which decides where words are
/// missing.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct WordsAndPlace {
    /// How much the place counts, beside words.
    pub place: f64,
}

impl Default for WordsAndPlace {
    fn default() -> Self {
        WordsAndPlace { place: 0.1 }
    }
}

impl Similarity for WordsAndPlace {
    fn table(&self, one: Parted<'_>, other: Parted<'_>) -> Vec<Vec<f64>> {
        let documents: Vec<Document> = (one.1.iter().map(|segment| words(one.0, segment)))
            .chain(other.1.iter().map(|segment| words(other.0, segment)))
            .collect();
        let vectors = weighted(&documents);
        let (rows, columns) = vectors.split_at(one.1.len());
        let entry = |row: usize, column: usize| {
            let (a, b) = (&rows[row], &columns[column]);
            let place = alike(one, row, other, column);
            match (a.words.is_empty(), b.words.is_empty()) {
                (true, true) => place * 0.5,
                (false, false) => cosine(a, b) * (1.0 - self.place) + place * self.place,
                _ => place * 0.25,
            }
        };
        (0..rows.len()).map(|row| (0..columns.len()).map(|col| entry(row, col)).collect()).collect()
    }
}

type Document = BTreeMap<Word, f64>;

/// How often each word is in a segment: those of names, also of names that a view has from what is
/// in it, and those of hints and ids.
fn words(outline: &Outline<'_>, segment: &Segment) -> Document {
    let mut document = Document::new();
    for index in &segment.views {
        let (view, element) = (&outline.views[*index], outline.element(*index));
        let hint = if element.text.is_empty() { "" } else { element.hint.as_str() };
        let all = view.name_words.iter().chain(&view.id_words).copied();
        all.chain(words_of_text(hint)).for_each(|word| *document.entry(word).or_default() += 1.0);
    }
    document
}

/// A document whose words are weighted, and its length.
struct Vector {
    words: Document,
    length: f64,
}

/// The same with `ln((1 + N) / (1 + df)) + 1` for each word, where `df` of `N` documents have it.
fn weighted(documents: &[Document]) -> Vec<Vector> {
    let mut have: BTreeMap<Word, f64> = BTreeMap::new();
    for word in documents.iter().flat_map(BTreeMap::keys) {
        *have.entry(*word).or_default() += 1.0;
    }
    let all = documents.len() as f64;
    let weight = |word: &Word| ((1.0 + all) / (1.0 + have[word])).ln() + 1.0;
    let vector = |document: &Document| {
        let words: Document =
            document.iter().map(|(word, count)| (*word, count * weight(word))).collect();
        let length = words.values().map(|x| x * x).sum::<f64>().sqrt();
        Vector { words, length }
    };
    documents.iter().map(vector).collect()
}

fn cosine(one: &Vector, other: &Vector) -> f64 {
    let (few, many) = if one.words.len() < other.words.len() { (one, other) } else { (other, one) };
    let product: f64 =
        few.words.iter().filter_map(|(word, x)| Some(x * many.words.get(word)?)).sum();
    let lengths = one.length * other.length;
    if lengths > 0.0 { product / lengths } else { 0.0 }
}

/// Whether two segments are at the same place of their screens, in layers of the same depth.
fn alike(one: Parted<'_>, row: usize, other: Parted<'_>, column: usize) -> f64 {
    let middle = |(outline, segments): Parted<'_>, index: usize| {
        let (at, size) = (segments[index].bounds.center(), outline.screen.viewport);
        let share = |pixels: i32, of: i32| f64::from(pixels) / f64::from(of.max(1));
        (share(at.x, size.width), share(at.y, size.height), segments[index].layer == 0)
    };
    let ((x, y, back), (u, v, other_back)) = (middle(one, row), middle(other, column));
    let near = 1.0 - ((x - u).abs() + (y - v).abs()).min(1.0);
    if back == other_back { near } else { near * 0.5 }
}

/// The least similarity by which a segment that is left over is paired with one that is taken.
const LEFT_OVER: f64 = 0.15;

/// The segment of the second screen that corresponds to each of the first: by the best pairing of
/// all. Screens are cut more finely on one side than on the other, so what is left over belongs to
/// the segment that it is most similar to.
pub(crate) fn counterparts(
    similarity: &dyn Similarity,
    one: Parted<'_>,
    other: Parted<'_>,
) -> Vec<Option<usize>> {
    let table = similarity.table(one, other);
    let mut pairs = best_pairs(&table);
    for (pair, row) in pairs.iter_mut().zip(&table).filter(|(pair, _)| pair.is_none()) {
        let columns = row.iter().enumerate();
        let best = columns.max_by(|(i, a), (j, b)| a.total_cmp(b).then(j.cmp(i)));
        *pair = best.filter(|(_, weight)| **weight >= LEFT_OVER).map(|(column, _)| column);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use capuchin::ui::{Element, Rect, Screen, Size};

    fn screen(texts: &[&str]) -> (Screen, Vec<Segment>) {
        let mut screen = Screen { viewport: Size::new(100, 100), ..Screen::default() };
        let mut segments = Vec::new();
        for (index, text) in texts.iter().enumerate() {
            let bounds = Rect::new(0, index as i32 * 10, 100, 10);
            let element = Element { text: (*text).into(), bounds, ..Element::default() };
            screen.elements.push(element);
            segments.push(Segment { views: vec![index], bounds, layer: 0 });
        }
        (screen, segments)
    }

    #[test]
    fn words_that_few_have_count_more() {
        let (a, segments) = screen(&["save file", "open file", "close file"]);
        let (b, others) = screen(&["close", "save"]);
        let table = WordsAndPlace::default()
            .table((&Outline::new(&a), &segments), (&Outline::new(&b), &others));
        assert_eq!(best_pairs(&table), [Some(1), None, Some(0)]);
        assert!(table[0][1] > table[0][0]);
    }

    #[test]
    fn without_words_the_place_decides() {
        let (a, segments) = screen(&["", ""]);
        let (b, others) = screen(&["", ""]);
        let table = WordsAndPlace::default()
            .table((&Outline::new(&a), &segments), (&Outline::new(&b), &others));
        assert_eq!(best_pairs(&table), [Some(0), Some(1)]);
    }

    #[test]
    fn the_same_words_are_as_similar_as_can_be() {
        let documents =
            [BTreeMap::from([(1, 2.0), (2, 1.0)]), BTreeMap::from([(1, 2.0), (2, 1.0)])];
        let vectors = weighted(&documents);
        assert!((cosine(&vectors[0], &vectors[1]) - 1.0).abs() < 1e-9);
        let others = weighted(&[BTreeMap::from([(3, 1.0)])]);
        assert_eq!(cosine(&vectors[0], &others[0]), 0.0);
    }

    #[test]
    fn a_segment_that_is_left_over_belongs_to_the_most_similar_one() {
        let (a, segments) = screen(&["save file", "open file", "log out"]);
        let (b, others) = screen(&["save open file", "log out now"]);
        let (a, b) = (Outline::new(&a), Outline::new(&b));
        let pairs = counterparts(&WordsAndPlace::default(), (&a, &segments), (&b, &others));
        assert_eq!(pairs, [Some(0), Some(0), Some(1)]);
    }
}
