/** Texts of operations in lower case. The entries of Swagger UI remain the same until the document changes. */
const texts = new WeakMap();

function textOf(entry, tag) {
  if (!texts.has(entry)) {
    const operation = entry.get('operation');
    const paragraphs = operation.get('description', '').split('\n\n');
    // The last paragraph lists the accepted scopes: with it, `application` would match nearly every operation.
    if (operation.get('x-scopes')?.size) paragraphs.pop();
    const words = [tag, entry.get('method'), entry.get('path'), operation.get('operationId')];
    texts.set(entry, [...words, operation.get('summary'), ...paragraphs].join('\n').toLowerCase());
  }
  return texts.get(entry);
}

const sizeOf = (group) => group.get('operations').size;

/** Returns the phrase of the search, or an empty text: before the first phrase, the filter of Swagger UI is `true`. */
export const phraseOf = (filter) => (typeof filter === 'string' ? filter : '');

/** Returns the operations that contain all words of `phrase`, in any case, by tag. */
function matching(taggedOperations, phrase) {
  const words = phrase.toLowerCase().split(/\s+/);
  const contains = (tag) => (entry) => words.every((word) => textOf(entry, tag).includes(word));
  return taggedOperations
    .map((group, tag) => group.update('operations', (entries) => entries.filter(contains(tag))))
    .filter((group) => sizeOf(group) > 0);
}

/** Plugin with a search for operations by tag, path, ID, summary and description. Tags with matches are open. */
export const search = ({ React: { createElement } }) => ({
  fn: { opsFilter: matching },
  statePlugins: {
    layout: {
      wrapSelectors: {
        isShown: (original) => (layout, key, usual) =>
          original(key, usual || (key[0] === 'operations-tag' && phraseOf(layout.get('filter')) !== '')),
      },
    },
  },
  components: {
    FilterContainer({ layoutActions, layoutSelectors, specSelectors }) {
      const phrase = phraseOf(layoutSelectors.currentFilter());
      const found = phrase && specSelectors.taggedOperations().reduce((sum, group) => sum + sizeOf(group), 0);
      return createElement(
        'div',
        { className: 'wrapper search', role: 'search' },
        createElement('input', {
          type: 'search',
          'aria-label': 'Search operations',
          placeholder: 'Search operations, paths and descriptions',
          value: phrase,
          onChange: ({ target }) => layoutActions.updateFilter(target.value),
        }),
        createElement('p', { role: 'status' }, phrase && `${found} found`),
      );
    },
  },
});
