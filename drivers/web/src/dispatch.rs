//! Which part of the device an event of the browser changes.

use crate::allowed_origins::blocked;
use crate::app_log::{EntryKind, shortened};
use crate::calls::WORLD;
use crate::device::WebDevice;
use crate::failure::Failure;
use crate::protocol_events::{
    BindingCalled, ConsoleCalled, ExecutionContext, NavigatedFrame, ProtocolEvent, SessionEvent,
};
use crate::recorder::GESTURE_BINDING;
use crate::stack;
use crate::tab::{Announced, Dialog};
use crate::tab_death::Death;
use crate::tab_setup::SNAPSHOT_BINDING;
use crate::urls::origin;
use crate::view::Planned;
use serde_json::Value;
use std::time::Instant;

impl WebDevice {
    /// Handles every event that has arrived.
    pub(crate) fn handle_events(&mut self) -> Result<(), Failure> {
        while let Some(event) = self.link.event() {
            self.on_event(event)?;
        }
        Ok(())
    }

    pub(crate) fn on_event(&mut self, event: SessionEvent) -> Result<(), Failure> {
        let SessionEvent { session, event } = event;
        let Some(event) = self.on_target(event)? else { return Ok(()) };
        let Some((tab, is_current)) = self.tabs.of_session(&session) else { return Ok(()) };
        match event {
            ProtocolEvent::VirtualTimeBudgetExpired => {
                tab.time_is_up = true;
                self.clock.open_grants = self.clock.open_grants.saturating_sub(1);
            }
            ProtocolEvent::ExecutionContextCreated(created) => {
                self.on_world(&session, created.context);
            }
            ProtocolEvent::ExecutionContextsCleared => {
                tab.world = None;
                tab.scripts.clear();
            }
            ProtocolEvent::ExecutionContextDestroyed(destroyed) => {
                tab.world.take_if(|world| *world == destroyed.execution_context_unique_id);
            }
            ProtocolEvent::BindingCalled(called) if called.name == GESTURE_BINDING => {
                let world = tab.world.clone();
                self.recording.on_gesture(world, &called.payload);
            }
            ProtocolEvent::BindingCalled(called) => return self.on_announced(&session, called),
            ProtocolEvent::ExceptionThrown(thrown) => self.on_exception(&thrown.exception_details),
            ProtocolEvent::ConsoleCalled(called) => self.on_console(&called),
            ProtocolEvent::DragIntercepted(drag) => self.input.dragged = Some(drag.data),
            ProtocolEvent::TargetCrashed => tab.crashed = true,
            ProtocolEvent::DialogOpening(dialog) => {
                self.log.add(EntryKind::Dialog, format!("{}: {}", dialog.kind, dialog.message));
                let answer = dialog.default_prompt.into();
                tab.dialog = Some(Dialog { kind: dialog.kind, message: dialog.message, answer });
            }
            ProtocolEvent::DialogClosed(closed) => {
                if let Some(dialog) = tab.dialog.take() {
                    self.recording.on_dialog(dialog, closed.result, &closed.user_input);
                }
            }
            ProtocolEvent::FrameStartedNavigating(begun)
                if begun.frame_id == tab.target && begun.loads_a_document() =>
            {
                tab.navigating = Some(begun.loader_id);
            }
            // Also when nothing came of it: a download, another program.
            ProtocolEvent::FrameStoppedLoading(frame) if frame.frame_id == tab.target => {
                tab.navigating = None;
            }
            ProtocolEvent::NavigatedWithinDocument(frame) if frame.frame_id == tab.target => {
                tab.navigations += 1;
            }
            ProtocolEvent::FrameNavigated(navigated) => {
                if navigated.frame.parent_id.is_none() {
                    tab.navigations += 1;
                    tab.navigating = None;
                    tab.forget_lines();
                    tab.has_navigated = true;
                }
                self.on_navigated(&navigated.frame, is_current);
            }
            ProtocolEvent::RequestWillBeSent(sent) => self.on_request(&session, sent),
            ProtocolEvent::ResponseReceived(received) => {
                if received.kind == "Document" && received.frame_id == tab.target {
                    tab.status = received.response.status;
                }
                self.on_response(&session, &received);
            }
            ProtocolEvent::LoadingFinished(finished) => {
                self.on_finished(&session, &finished.request_id);
            }
            ProtocolEvent::LoadingFailed(failed) => self.on_failed_request(&session, &failed),
            // No proxy sees one of these: a browser that has a proxy opens none.
            ProtocolEvent::WebTransportCreated(made) if !self.allowed.contains(&made.url) => {
                self.lacks.note(blocked(origin(&made.url)));
            }
            ProtocolEvent::RequestPaused(paused) => {
                return self.on_paused_request(&session, &paused);
            }
            ProtocolEvent::DownloadWillBegin(begun) => {
                let file = &begun.suggested_filename;
                self.log.add(EntryKind::Request, format!("download {file}"));
                tab.downloads.insert(begun.guid);
            }
            ProtocolEvent::DownloadProgress(download) if download.state != "inProgress" => {
                tab.downloads.remove(&download.guid);
            }
            ProtocolEvent::ScriptParsed(script) => self.on_script(&session, &script),
            ProtocolEvent::DebuggerPaused(paused) => {
                return self.on_pause(&session, &paused.call_frames);
            }
            event => self.on_line(&session, event),
        }
        Ok(())
    }

    /// A tab, a frame or a worker comes or goes; any other event is given back.
    fn on_target(&mut self, event: ProtocolEvent) -> Result<Option<ProtocolEvent>, Failure> {
        match event {
            ProtocolEvent::AttachedToTarget(attached) => self.on_attached(attached)?,
            ProtocolEvent::DetachedFromTarget(detached) => {
                if let Some((tab, _)) = self.tabs.of_session(&detached.session_id) {
                    tab.closed = true;
                }
            }
            ProtocolEvent::TargetDied(died) => {
                let death = Death { status: died.status, signal: died.error_code };
                self.tabs.note_death(&died.target_id, death);
            }
            event => return Ok(Some(event)),
        }
        Ok(None)
    }

    /// Something happens on a line that a page keeps open.
    fn on_line(&mut self, session: &str, event: ProtocolEvent) {
        let Some((tab, _)) = self.tabs.of_session(session) else { return };
        match event {
            ProtocolEvent::DataReceived(data) => {
                let Some(request) = tab.pending.get_mut(&data.request_id) else { return };
                request.headed = request.headed.map(|_| Instant::now());
                if self.settling.is_line(request) {
                    tab.talk.hears();
                }
            }
            ProtocolEvent::SocketCreated(socket) => {
                tab.sockets.insert(socket.request_id);
                tab.talk.connects();
            }
            ProtocolEvent::SocketClosed(socket) => {
                tab.sockets.remove(&socket.request_id);
                tab.talk.hears();
            }
            ProtocolEvent::SocketSent => tab.talk.asks(),
            ProtocolEvent::SocketOpened
            | ProtocolEvent::SocketReceived
            | ProtocolEvent::StreamReceived => tab.talk.hears(),
            _ => {}
        }
    }

    /// The collector's world is there: so is another document.
    fn on_world(&mut self, session: &str, world: ExecutionContext) {
        let Some((tab, is_current)) = self.tabs.of_session(session) else { return };
        if world.name != WORLD || world.aux_data.frame_id != tab.target {
            return;
        }
        tab.world = Some(world.unique_id);
        tab.documents += 1;
        if is_current {
            self.view.restart();
            self.settling.on_document();
            self.clock.release();
        }
    }

    /// The collector has sent a snapshot without being asked.
    fn on_announced(&mut self, session: &str, called: BindingCalled) -> Result<(), Failure> {
        let Some((tab, _)) = self.tabs.of_session(session) else { return Ok(()) };
        if called.name != SNAPSHOT_BINDING || self.view.look_clock.hear(&called.payload) {
            return Ok(());
        }
        match (&tab.announced, tab.world.clone()) {
            (Announced::Expected, _) => {
                tab.announced = Announced::Snapshot(called.payload);
                if tab.counts { self.send_for_counts(session) } else { Ok(()) }
            }
            // Nobody reads it, so its next snapshot is planned in vain.
            (_, Some(world)) => {
                tab.announced = Announced::Unexpected;
                self.view.is_stale = true;
                self.cancel(&Planned { session: session.to_owned(), world })
            }
            (_, None) => Ok(()),
        }
    }

    fn on_navigated(&mut self, frame: &NavigatedFrame, is_current: bool) {
        if frame.parent_id.is_none() {
            let shown = self.app.shorten(&frame.url);
            self.log.add(EntryKind::Navigation, format!("/{shown}"));
            if is_current {
                // It may crash before there is a snapshot of it.
                self.view.head.url.clone_from(&frame.url);
            }
        }
        self.storage.visit(&self.app, &frame.url);
    }

    fn on_console(&mut self, called: &ConsoleCalled) {
        let words = called.args.iter().map(|arg| match &arg.value {
            Value::String(text) => text.clone(),
            Value::Null => arg.description.clone().unwrap_or_default(),
            value => value.to_string(),
        });
        let text = words.collect::<Vec<String>>().join(" ");
        let kind = match called.kind.as_str() {
            "error" | "assert" => EntryKind::Error,
            "warning" => EntryKind::Warning,
            _ => EntryKind::Log,
        };
        self.log.add(kind, &text);
        if kind == EntryKind::Error && self.options.crashes.console {
            let calls = stack::calls(&called.stack_trace);
            let first = shortened(text.lines().next().unwrap_or_default());
            self.crashed(format!("console.error: {first}"), calls);
        }
    }
}
