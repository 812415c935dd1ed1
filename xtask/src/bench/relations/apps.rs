//! The apps that relations are measured on: real ones, and pages with a bug that breaks one.

/// An app, and what is known of it.
pub(super) struct App {
    pub(super) name: &'static str,
    /// The packages of npm's that are installed; none, if it is a page of ours.
    pub(super) packages: &'static [&'static str],
    /// The page at the root, if the package brings none; then `page` is `index.html`.
    pub(super) host_page: &'static str,
    /// Its page, below `node_modules` or at the root.
    pub(super) page: &'static str,
    /// The relation that its bug breaks.
    pub(super) breaks: Option<&'static str>,
}

const fn real(name: &'static str, packages: &'static [&'static str], page: &'static str) -> App {
    App { name, packages, host_page: "", page, breaks: None }
}

const fn memo(name: &'static str, page: &'static str, breaks: &'static str) -> App {
    App { name, packages: &[], host_page: "", page, breaks: Some(breaks) }
}

/// Real apps. What a relation finds in them is judged in `findings.rs`.
pub(super) const APPS: &[App] = &[
    real("todomvc-react", &["todomvc@0.1.1"], "todomvc/examples/react/index.html"),
    real("todomvc-vue", &["todomvc@0.1.1"], "todomvc/examples/vue/index.html"),
    real("calculator", &["react-calculator@0.0.2"], "react-calculator/demo/demo.html"),
    real("2048", &["game-2048@0.0.7"], "game-2048/index.html"),
    real("minesweeper", &["react-minesweeper@1.0.2"], "react-minesweeper/demo/dist/index.html"),
    real("spreadsheet", &["x-data-spreadsheet@1.1.9"], "x-data-spreadsheet/dist/index.html"),
    real("jsoneditor-tree", &["jsoneditor@10.4.3"], "jsoneditor/examples/01_basic_usage.html"),
    real("jsoneditor-modes", &["jsoneditor@10.4.3"], "jsoneditor/examples/03_switch_mode.html"),
    real("sb-admin", &["startbootstrap-sb-admin-2@4.1.4"], "startbootstrap-sb-admin-2/index.html"),
    real("gentelella", &["gentelella@4.2.0"], "gentelella/dist/production/calendar.html"),
    real("framework7", &["framework7@1.7.1"], "framework7/examples/tab-bar/index.html"),
    real(
        "pdfjs",
        &["pdfjs-dist-viewer-min@3.11.174"],
        "pdfjs-dist-viewer-min/build/minified/web/viewer.html",
    ),
    real("svgedit", &["svgedit@7.4.1"], "svgedit/dist/editor/index.html"),
];

/// Pages of ours with one bug each, and documented bugs of public versions.
pub(super) const PLANTED: &[App] = &[
    memo("memo-toggle", "memo.html?fault=toggle", "toggle"),
    memo("memo-cancel", "memo.html?fault=cancel", "cancel"),
    memo("memo-undo", "memo.html?fault=undo", "undo"),
    memo("memo-rotation", "memo.html?fault=rotation", "rotation"),
    memo("memo-reload", "memo.html?fault=reload", "reload"),
    memo("memo-back", "memo.html?fault=back", "back"),
    memo("memo-ways", "memo.html?fault=ways", "ways"),
    App {
        name: "jsoneditor-6.1.0",
        packages: &["jsoneditor@6.1.0"],
        host_page: "<!doctype html><meta charset=utf-8><title>t</title>\
            <link rel=stylesheet href=node_modules/jsoneditor/dist/jsoneditor.css>\
            <script src=node_modules/jsoneditor/dist/jsoneditor.js></script>\
            <div id=j style='width:500px;height:500px'></div><script>\
            new JSONEditor(document.getElementById('j'), {mode: 'code'}, {string: 'Hello'});\
            </script>",
        page: "index.html",
        breaks: Some("undo"),
    },
    App {
        name: "gridstack-4.2.6",
        packages: &["gridstack@4.2.6"],
        host_page: "<!doctype html><meta charset=utf-8><title>t</title>\
            <link rel=stylesheet href=node_modules/gridstack/dist/gridstack.min.css>\
            <script src=node_modules/gridstack/dist/gridstack-h5.js></script>\
            <div class=grid-stack></div><script>\
            GridStack.init({cellHeight: 70}).load([\
            {x: 0, y: 0, w: 4, h: 2, minW: 2, content: '1'},\
            {x: 4, y: 0, w: 4, h: 2, minW: 2, content: '2'},\
            {x: 8, y: 0, w: 4, h: 2, minW: 2, content: '3'}]);</script>",
        page: "index.html",
        breaks: Some("rotation"),
    },
];
