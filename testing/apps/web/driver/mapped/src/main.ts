import { Stock } from "./stock";

const stock = new Stock();
const on = (id: string, act: () => void): void => {
  document.getElementById(id)!.addEventListener("click", act);
};

on("take", () => {
  document.getElementById("left")!.textContent = `${stock.take()} left`;
});
on("order", () => {
  void stock.order();
});
on("wait", () => stock.wait());
