/** Sources of loops, and the items of their rounds, for devices and for server workflows. */
export const LOOP_SOURCES: readonly (readonly [name: string, source: unknown, items: readonly unknown[]])[] =
  [
    [
      'a list',
      ['a', null, { b: 1 }],
      [
        { value: 'a', index: 0, first: true },
        { value: null, index: 1 },
        { value: { b: 1 }, index: 2, last: true },
      ],
    ],
    [
      'an object',
      { x: 1, y: [2] },
      [
        { value: 1, index: 0, key: 'x', first: true },
        { value: [2], index: 1, key: 'y', last: true },
      ],
    ],
    [
      'a text',
      'a🙂',
      [
        { value: 'a', index: 0, first: true },
        { value: '🙂', index: 1, last: true },
      ],
    ],
    ['one item', [0], [{ value: 0, index: 0, first: true, last: true }]],
    [
      'a number',
      1.2,
      [
        { value: 0, index: 0, first: true },
        { value: 1, index: 1, last: true },
      ],
    ],
    ['a number below 0', -1.9, [{ value: 0, index: 0, first: true, last: true }]],
    ['0', 0, []],
    ['an empty text', '', []],
    ['null', null, []],
    ['true', true, []],
    ['an empty list', [], []],
  ];
