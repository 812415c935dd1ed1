function answer() {
  opener.add();
}

document.getElementById("answer").onclick = answer;
document.getElementById("close").onclick = () => close();
