/** Number of 32-bit words: enough for 800 decimal digits times the largest power of two of a double, plus one. */
const WORDS: i32 = 144;

/** Natural number of up to 4,608 bits in a fixed buffer, for exact decimal arithmetic. */
@final
export class BigNumber {
  private readonly words: StaticArray<u32> = new StaticArray<u32>(WORDS);
  private size: i32 = 0;

  set(value: u64): this {
    this.size = 0;
    this.push(<u32>value);
    this.push(<u32>(value >> 32));
    return this.trim();
  }

  get isZero(): bool {
    return this.size == 0;
  }

  /** Number of significant bits. */
  get bits(): i32 {
    return this.size == 0 ? 0 : (this.size << 5) - <i32>clz(this.words[this.size - 1]);
  }

  /** Multiplies this number by a factor and adds a summand, in place. */
  multiplyAdd(factor: u32, summand: u32): this {
    let carry: u64 = summand;
    for (let i = 0; i < this.size; i++) {
      carry += <u64>this.words[i] * factor;
      this.words[i] = <u32>carry;
      carry >>= 32;
    }
    if (carry != 0) this.push(<u32>carry);
    return this;
  }

  timesPowerOfTen(exponent: i32): this {
    for (; exponent >= 9; exponent -= 9) this.multiplyAdd(1_000_000_000, 0);
    for (; exponent > 0; exponent--) this.multiplyAdd(10, 0);
    return this;
  }

  shiftLeft(bits: i32): this {
    if (this.size == 0) return this;
    const whole = bits >> 5;
    const part = bits & 31;
    this.push(0);
    for (let i = this.size - 1; i >= 0; i--) {
      const low = i > 0 && part != 0 ? this.words[i - 1] >> (32 - part) : 0;
      this.words[i + whole] = (this.words[i] << part) | low;
    }
    for (let i = 0; i < whole; i++) this.words[i] = 0;
    this.size += whole;
    return this.trim();
  }

  /** Returns a number less than, equal to or greater than 0, as in a comparator. */
  compare(other: BigNumber): i32 {
    if (this.size != other.size) return this.size - other.size;
    for (let i = this.size - 1; i >= 0; i--) {
      if (this.words[i] != other.words[i]) return this.words[i] < other.words[i] ? -1 : 1;
    }
    return 0;
  }

  add(other: BigNumber): this {
    let carry: u64 = 0;
    const size = max(this.size, other.size);
    while (this.size < size) this.push(0);
    for (let i = 0; i < size; i++) {
      carry += <u64>this.words[i] + (i < other.size ? other.words[i] : 0);
      this.words[i] = <u32>carry;
      carry >>= 32;
    }
    if (carry != 0) this.push(<u32>carry);
    return this;
  }

  /** Subtracts a number that is not larger, in place. */
  subtract(other: BigNumber): this {
    let borrow: u64 = 0;
    for (let i = 0; i < this.size; i++) {
      const difference = <u64>this.words[i] - (i < other.size ? other.words[i] : 0) - borrow;
      this.words[i] = <u32>difference;
      borrow = (difference >> 32) & 1;
    }
    return this.trim();
  }

  copy(other: BigNumber): this {
    this.size = other.size;
    for (let i = 0; i < other.size; i++) this.words[i] = other.words[i];
    return this;
  }

  private push(word: u32): void {
    this.words[this.size++] = word;
  }

  private trim(): this {
    while (this.size > 0 && this.words[this.size - 1] == 0) this.size--;
    return this;
  }
}
