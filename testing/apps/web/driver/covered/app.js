let count = 0;

function add() {
  count += 1;
  if (count > 1) {
    many();
  } else {
    one();
  }
}

function one() {
  show("one");
}

function many() {
  show("many");
}

function never() {
  show("never");
}

function show(text) {
  document.getElementById("shown").textContent = text;
}

document.getElementById("add").onclick = add;
document.getElementById("open").onclick = () => window.open("popup.html");
