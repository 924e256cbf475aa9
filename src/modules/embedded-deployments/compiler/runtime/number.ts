export function numberOfText(text: string): f64 {
  return parseFloat(text);
}
export function textOfNumber(n: f64): string {
  return n.toString();
}
