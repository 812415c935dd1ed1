// When the page last changed by itself, and who has the focus first. A reset must not be seen by
// the page that it ends: nothing is saved, and nobody asks whether to stay.
let leaving = false;
for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange']) {
  window.addEventListener(
    type,
    event => {
      if (leaving) event.stopImmediatePropagation();
    },
    true,
  );
}

// When something last changed by itself, and where.
let changed = performance.now(),
  where = null,
  changes = 0,
  moves = 0;
const watched = new WeakSet();
// The shadow trees and frames of the last look.
const others = [];
// By the time that its first scripts run, a page has been drawn, and what asks for the focus has
// got it. A browser that draws on command has not drawn it then: so we give it the focus, once.
let isUnfocused = config.onCommand,
  wasFocused = false,
  isRepeated = false,
  first = null;
// What a script puts there is drawn a frame later: if it has gone by then, the focus is for the
// next that asks for it.
const A_FRAME = 16;
let wasThere = false,
  focused = 0;
const focusFirst = () => {
  const asks = findFirst(document, '[autofocus]');
  if (!asks) return;
  isUnfocused = false;
  wasFocused = true;
  first = asks;
  wasThere = readyState(document) === 'loading';
  focused = performance.now();
  const active = activeElement(document);
  if (!active || active === bodyOf(document)) asks.focus();
};
// The browser knows nothing of that, and gives it again if what had it has gone: until somebody
// touches the page, what gets it from neither a script nor us has it from there.
let isTouched = false;
for (const type of ['pointerdown', 'keydown'])
  window.addEventListener(
    type,
    () => {
      isTouched = true;
    },
    true,
  );
for (const type of ['focus', 'focusin', 'blur', 'focusout']) {
  window.addEventListener(
    type,
    event => {
      if (type === 'focus')
        isRepeated =
          wasFocused &&
          !isTouched &&
          !byScript &&
          event.target !== first &&
          event.target instanceof Element &&
          hasAttribute(event.target, 'autofocus');
      if (!isRepeated) return;
      event.stopImmediatePropagation();
      if (type === 'focus') {
        event.target.blur();
        isRepeated = false;
      }
    },
    true,
  );
}
const noteMutations = records => {
  if (!records.length) return;
  records.forEach(forgetMutated);
  changed = performance.now();
  if (first && !isConnected(first)) {
    first = null;
    if (!wasThere && changed - focused < A_FRAME) {
      isUnfocused = true;
      wasFocused = false;
    }
  }
  if (isUnfocused) focusFirst();
  where = records[records.length - 1].target;
  changes++;
};
const observer = new MutationObserver(noteMutations);
const watch = root => {
  if (root !== document) others.push(root);
  if (watched.has(root)) return;
  watched.add(root);
  if (root !== document) scanSheets(root);
  observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
};
watch(document);
