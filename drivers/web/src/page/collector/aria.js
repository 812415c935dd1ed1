// The roles of ARIA as far as names depend on them.

/// Roles that elements have by their tags, and inputs by their types.
const words = text => text.split(' ');
const table = lines => {
  const found = { __proto__: null };
  for (const line of lines) {
    const [name, tags] = line.split(': ');
    for (const tag of words(tags)) found[tag] = name;
  }
  return found;
};
const BY_NATIVE_TAG = table([
  'button: BUTTON SUMMARY',
  'heading: H1 H2 H3 H4 H5 H6',
  'textbox: TEXTAREA',
  'option: OPTION',
  'list: UL OL MENU',
  'listitem: LI',
  'table: TABLE',
  'rowgroup: TBODY THEAD TFOOT',
  'row: TR',
  'cell: TD',
  'columnheader: TH',
  'caption: CAPTION FIGCAPTION',
  'group: FIELDSET OPTGROUP',
  'dialog: DIALOG',
  'progressbar: PROGRESS',
  'meter: METER',
  'status: OUTPUT',
  'paragraph: P',
  'figure: FIGURE',
  'image: svg',
  'listbox: DATALIST',
  'application: IFRAME FRAME OBJECT EMBED VIDEO AUDIO CANVAS',
  'article: ARTICLE',
  'navigation: NAV',
  'main: MAIN',
  'complementary: ASIDE',
  'form: FORM',
  'search: SEARCH',
  'region: SECTION',
  'group: HGROUP',
  'details: DETAILS',
  'blockquote: BLOCKQUOTE',
  'math: math',
  'separator: HR',
  'graphics-symbol: circle ellipse line path polygon polyline rect',
  'image: image',
]);
const BY_INPUT_TYPE = table([
  'button: button submit reset image',
  'checkbox: checkbox',
  'radio: radio',
  'slider: range',
  'spinbutton: number',
  'searchbox: search',
  'button: color file',
]);

/// Roles whose name is what is in them, if nobody says otherwise.
const CONTENT_NAMED = new Set(
  words(
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox ' +
      'menuitemradio option radio row rowheader switch tab tooltip treeitem doc-backlink ' +
      'doc-biblioref doc-glossref doc-noteref doc-subtitle',
  ),
);
/// The parts of a book.
const BOOK_PARTS = words(
  'doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-biblioentry doc-bibliography ' +
    'doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication ' +
    'doc-endnote doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote ' +
    'doc-foreword doc-glossary doc-index doc-introduction doc-notice doc-pagebreak ' +
    'doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface doc-prologue ' +
    'doc-pullquote doc-qna doc-tip doc-toc',
);
/// All other roles of ARIA that are not among ours.
const AUTHOR_NAMED = new Set(
  words(
    'application banner blockquote caption code comment complementary contentinfo definition ' +
      'deletion document emphasis figure form generic group insertion log main mark marquee math ' +
      'navigation none paragraph presentation radiogroup region rowgroup search ' +
      'separator strong subscript suggestion superscript tablist tabpanel term time timer ' +
      'toolbar graphics-document graphics-object graphics-symbol',
  ).concat(BOOK_PARTS),
);
/// What is in elements of these roles is no part of the name of what is around them: it is chosen
/// from, or a window of its own.
const SILENT = new Set(
  words(
    'menu menubar tree treegrid grid tablist toolbar radiogroup group dialog alertdialog ' +
      'application listbox scrollbar',
  ),
);
/// Neither is what is in these, since they are parts of a page with names of their own; but without
/// them, an element around them might say nothing at all.
const SEPARATE = new Set(
  words(
    'alert article banner blockquote comment complementary contentinfo document feed figure form ' +
      'graphics-document graphics-symbol image img log main marquee navigation note search ' +
      'separator status suggestion tabpanel timer',
  ).concat(BOOK_PARTS),
);
/// Roles that have no name, and those that say what has happened or what there is: what can be read
/// there is more than what is shown under the pointer.
const READ = new Set([
  ...words('alert caption code definition deletion emphasis generic insertion listitem log mark'),
  ...words('marquee none paragraph presentation status strong subscript superscript time timer'),
]);
/// Roles of controls that have a value: what is in them is no name.
const VALUED = new Set(
  words('textbox searchbox combobox listbox slider spinbutton scrollbar progressbar meter'),
);
/// Types of fields that show what they ask for.
const PROMPTING = new Set(words('text search url tel email password number'));
const VALUED_TAGS = new Set(words('INPUT TEXTAREA SELECT'));
/// Elements whose name is the text in them, if they have no attributes that say otherwise.
const PLAIN = new Set(words('BUTTON A H1 H2 H3 H4 H5 H6 SUMMARY TD TH TR'));
const SVG = 'http://www.w3.org/2000/svg';
