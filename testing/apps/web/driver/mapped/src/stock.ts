/** How much is left of something. There are two at first. */
export class Stock {
  private amount = 2;

  take(): number {
    this.amount -= 1;
    if (this.amount < 0) {
      throw new RangeError(`there are ${this.amount} left`);
    }
    return this.amount;
  }

  async order(): Promise<void> {
    await Promise.resolve();
    throw new Error("nobody delivers");
  }

  wait(): void {
    while (this.amount > -1) {
      this.amount = Math.abs(this.amount);
    }
  }
}
