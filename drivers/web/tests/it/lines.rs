//! Pages that keep a line open: sockets, streams, long polls. What comes over it is waited for,
//! what never comes is not, and what never ends has an end.

use crate::visit::Visit;
use std::time::{Duration, Instant};

/// How long it takes to click there so many times.
fn clicks(visit: &mut Visit, id: &str, times: u32) -> Duration {
    let began = Instant::now();
    for _ in 0..times {
        visit.click(id);
    }
    began.elapsed()
}

#[test]
fn an_answer_over_a_socket_is_awaited() {
    let page = r#"
        <button id="ask" onclick="socket.send('hello')">Ask</button>
        <button id="other" onclick="say('other')">Other</button>
        <script>
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket?80');
        socket.onmessage = event => setTimeout(() => say(event.data), 30);
        </script>"#;
    for options in ["", "time=real"] {
        let mut visit = Visit::to(page, options);
        for seed in 1..4 {
            assert_eq!(visit.again(seed).click("ask").said(), "80: hello", "{options}");
            assert_eq!(visit.click("ask").click("other").said(), "80: hello, other", "{options}");
        }
    }
}

#[test]
fn a_line_that_is_quiet_costs_nothing() {
    let page = r#"
        <button id="here" onclick="say('here')">Here</button>
        <script>new WebSocket(location.origin.replace('http', 'ws') + '/socket?1')</script>"#;
    let mut visit = Visit::to(page, "patience=5000");
    // Not the twenty times five seconds that it would take to wait for it.
    let took = clicks(&mut visit, "here", 20);
    assert!(took < Duration::from_secs(50), "20 clicks took {took:?}");
}

/// A poll that is another request each time is waited for once, also after a reset.
#[test]
fn polls_are_known_by_what_does_not_change_of_them() {
    let page = r#"
        <button id="here" onclick="poll(); say('here')">Here</button>
        <button id="ask" onclick="fetch('/late?300').then(answer => answer.text()).then(say)">Ask</button>
        <script>let since = 0; const poll = () => fetch('/poll?since=' + since++); poll()</script>"#;
    let mut visit = Visit::to(page, "patience=3000");
    let began = Instant::now();
    visit.again(2);
    assert_eq!(visit.seen.unsettled, None, "it was waited for when the app was opened");
    clicks(&mut visit, "here", 3);
    visit.again(3);
    clicks(&mut visit, "here", 3);
    let took = began.elapsed();
    assert!(took < Duration::from_secs(12), "half of eight times three seconds: {took:?}");
    // What has an end is awaited beside them.
    assert_eq!(visit.said(), "here, here, here");
    assert_eq!(visit.click("ask").said(), "late");
}

/// A poll that ends with each event, because there is news, is still one: the next is not waited
/// for.
#[test]
fn a_poll_that_brings_news_stays_a_poll() {
    let page = r#"
        <button id="tell" onclick="fetch('/happen?60')">Tell</button>
        <script>
        const poll = since => fetch('/news?' + since).then(answer => answer.text()).then(news => { say(news); poll(news) });
        poll(0);
        </script>"#;
    let mut visit = Visit::to(page, "patience=2000");
    for news in 1..13 {
        visit.click("tell");
        assert_eq!(visit.seen.unsettled, None, "{news}");
        assert_eq!(visit.said(), news.to_string());
    }
}

/// The first screen comes over a socket, long after the page is there.
#[test]
fn a_first_screen_that_comes_over_a_socket_is_awaited() {
    let page = r#"
        <p id="state">Loading</p>
        <script>
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket?900');
        socket.onopen = () => socket.send('Start');
        socket.onmessage = event => { $('state').outerHTML = '<button id="start">' + event.data + '</button>' };
        </script>"#;
    for options in ["", "time=real"] {
        let mut visit = Visit::to(page, options);
        for seed in 2..4 {
            assert_eq!(visit.text("start"), "900: Start", "{options}");
            visit.again(seed);
        }
    }
}

/// A server that says now and then that it is at work is waited for, longer than the patience.
#[test]
fn a_first_screen_is_awaited_while_its_server_talks() {
    let page = r#"
        <p id="state">Loading</p>
        <script>
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket?300');
        let parts = 0;
        const next = () => socket.send(++parts);
        socket.onopen = next;
        socket.onmessage = event => {
            if (parts < 6) next();
            else $('state').outerHTML = '<button id="start">' + event.data + '</button>';
        };
        </script>"#;
    let visit = Visit::to(page, "patience=700");
    assert_eq!(visit.text("start"), "300: 6");
}

#[test]
fn what_talks_for_ever_has_an_end() {
    for script in [
        "new WebSocket(location.origin.replace('http', 'ws') + '/chatter').onmessage = count",
        "new EventSource('/stream').onmessage = count",
        "fetch('/stream').then(async answer => { for await (const part of answer.body) count() })",
        "setInterval(() => fetch('/poll?at=' + Math.random()), 10)",
        "setInterval(() => fetch('/late?1').then(count), 10)",
        "new WebSocket(location.origin.replace('http', 'ws') + '/socket?1');
         const again = () => fetch('/late?20').then(again); again(); setTimeout(again, 10)",
    ] {
        let page = format!(
            "<button id='here' onclick='say(`here`)'>Here</button><p id='count'>0</p>
             <script>const count = () => {{ $('count').textContent++ }}; {script}</script>"
        );
        let mut visit = Visit::to(&page, "patience=1000");
        clicks(&mut visit, "here", 4);
        let took = clicks(&mut visit, "here", 6);
        assert!(took < Duration::from_secs(30), "{script}: {took:?}");
        assert_eq!(visit.said().matches("here").count(), 10, "{script}");
    }
}

/// A page asks a worker, which takes its time.
#[test]
fn an_answer_of_a_worker_is_awaited() {
    let page = r#"
        <button id="ask" onclick="worker.postMessage('/late?LATE')">Ask</button>
        <button id="other" onclick="say('other')">Other</button>
        <script>
        const text = `onmessage = async event => postMessage(await (await fetch('${location.origin}' + event.data)).text())`;
        const worker = new Worker(URL.createObjectURL(new Blob([text])));
        worker.onmessage = event => setTimeout(() => say(event.data), 30);
        </script>"#;
    for late in ["1", "80"] {
        let mut visit = Visit::to(&page.replace("LATE", late), "");
        for seed in 1..4 {
            assert_eq!(visit.again(seed).click("ask").said(), "late", "{late}");
            assert_eq!(visit.click("ask").click("other").said(), "late, other", "{late}");
        }
    }
}

/// A page that keeps a line open and does not care for what it is answered is not waited for, and
/// what it asks is not taken for a line.
#[test]
fn an_answer_that_nobody_reads_is_not_awaited() {
    let page = r#"
        <button id="tell" onclick="fetch('/late?60').then(() => say('told'))">Tell</button>
        <script>LINE</script>"#;
    for line in [
        "new WebSocket(location.origin.replace('http', 'ws') + '/socket?1')",
        "new EventSource('/stream?60000')",
        "fetch('/poll')",
    ] {
        let mut visit = Visit::to(&page.replace("LINE", line), "patience=3000");
        for _ in 0..3 {
            visit.click("tell");
            assert_eq!(visit.seen.unsettled, None, "{line}");
            assert_eq!(visit.said(), "told", "{line}");
        }
    }
}

/// How much of the page's own time has passed since it was loaded, in milliseconds.
fn page_time(visit: &mut Visit) -> u32 {
    visit.click("clock").said().rsplit(' ').next().unwrap().parse().unwrap()
}

/// A page that asks again a while after each answer, for ever: after some events it is not listened
/// to for longer than it takes to find the line quiet, and that is told. The figure is of the
/// page's clock, which moves on with each time that it is listened to.
#[test]
fn talk_with_moments_of_quiet_has_an_end() {
    let page = r#"
        <button id="clock" onclick="say(Math.round(performance.now()))">Clock</button>
        <script>
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket?1');
        socket.onopen = () => socket.send('again');
        socket.onmessage = () => setTimeout(socket.onopen, 30);
        </script>"#;
    let mut visit = Visit::to(page, "");
    let told = Some("a line that it keeps open is never quiet");
    let mut is_told = false;
    for _ in 0..4 {
        is_told |= visit.click("clock").seen.unsettled.as_deref() == told;
    }
    assert!(is_told);
    let before = page_time(&mut visit);
    for _ in 0..10 {
        visit.click("clock");
    }
    let passed = page_time(&mut visit) - before;
    // Each event takes 100 ms, and so does each time that it is listened to.
    assert!(passed <= 11 * 300, "11 events took {passed} ms of the page's time");
}

/// A line that has talked for ever and stops is waited for again, and so is one on another page.
#[test]
fn a_line_that_has_stopped_talking_is_awaited_again() {
    let page = r#"
        <button id="stop" onclick="stream.close()">Stop</button>
        <button id="ask" onclick="socket.send('one'); socket.send('two'); socket.send('three')">Ask</button>
        <p id="count">0</p>
        <script>
        const stream = new EventSource('/stream');
        stream.onmessage = () => { $('count').textContent++ };
        const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket?25');
        socket.onmessage = event => say(event.data);
        </script>"#;
    let mut visit = Visit::to(page, "patience=1000");
    for _ in 0..6 {
        visit.click("count");
    }
    visit.click("stop");
    for _ in 0..14 {
        visit.click("count");
    }
    assert_eq!(visit.click("ask").said(), "25: one, 25: two, 25: three");
    assert_eq!(visit.seen.unsettled, None);
}
