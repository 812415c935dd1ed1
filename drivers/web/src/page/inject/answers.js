// Tells the collector of questions that the browser answers in its own time. What the browser is
// asked and answers in its own time: the page's clock does not wait for it, so we do.
const { IDBFactory, IDBDatabase, FileReader } = window;
const answered = () => tell(null, ANSWERED);
const asks = (object, names, wait) => {
  for (const name of names) {
    const own = object?.[name];
    if (typeof own !== 'function') continue;
    const asking = {
      [name](...args) {
        const answer = call(own, this, args);
        if (!wait && !(answer instanceof Promise)) return answer;
        tell(null, ASKED);
        return wait ? wait(answer, this) : resolved(answer);
      },
    };
    define(object, name, asking[name]);
  }
};
// A promise of our own, so that nobody who leaves a rejection alone is helped by our listening to
// it.
const resolved = promise =>
  new Promise((resolve, reject) => {
    call(then, promise, [
      value => {
        answered();
        resolve(value);
      },
      reason => {
        answered();
        reject(reason);
      },
    ]);
  });
const once = types => (answer, self) => {
  const source = answer ?? self;
  let isOver = false;
  const over = () => {
    if (!isOver) answered();
    isOver = true;
  };
  // Not an iterator: the page may have broken those.
  for (let i = 0; i < types.length; i++) call(listen, source, [types[i], over, { once: true }]);
  return answer;
};
const everything = object =>
  object ? Object.getOwnPropertyNames(object).filter(name => name !== 'constructor') : [];
const prototype = name => window[name]?.prototype;
asks(IDBFactory?.prototype, ['open', 'deleteDatabase'], once(['success', 'error', 'blocked']));
asks(IDBDatabase?.prototype, ['transaction'], once(['complete', 'abort', 'error']));
asks(
  FileReader?.prototype,
  ['readAsText', 'readAsDataURL', 'readAsArrayBuffer', 'readAsBinaryString'],
  once(['loadend']),
);
asks(prototype('Blob'), ['text', 'arrayBuffer', 'bytes']);
for (const name of ['CacheStorage', 'Cache', 'SubtleCrypto', 'CookieStore']) {
  const methods = prototype(name);
  asks(
    methods,
    everything(methods).filter(
      method => typeof Object.getOwnPropertyDescriptor(methods, method).value === 'function',
    ),
  );
}
asks(prototype('Clipboard'), ['read', 'readText', 'write', 'writeText']);
asks(prototype('Permissions'), ['query']);
asks(prototype('StorageManager'), ['estimate', 'persist', 'persisted', 'getDirectory']);
asks(prototype('FileSystemDirectoryHandle'), [
  'getFileHandle',
  'getDirectoryHandle',
  'removeEntry',
]);
asks(prototype('FileSystemFileHandle'), ['getFile', 'createWritable']);
asks(IDBFactory?.prototype, ['databases']);
asks(prototype('MediaDevices'), ['getUserMedia', 'enumerateDevices']);
asks(prototype('ServiceWorkerContainer'), ['register', 'getRegistration', 'getRegistrations']);
asks(prototype('ServiceWorkerRegistration'), ['unregister']);
asks(window.Notification, ['requestPermission']);
asks(window, ['createImageBitmap']);
