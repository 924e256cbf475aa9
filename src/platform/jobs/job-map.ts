export interface JobMap {
  x: object;
}
