export function compile(options: {
  root?: string;
  output: string;
  announce?: (count: number) => void;
}): Promise<number>;
