/**
 * Plugin that opens what the fragment names, `#/tag` or `#/tag/operationId`, and scrolls there. Swagger UI takes every `_`
 * for an old way of writing a space and logs an error, but each operation ID contains one. It also scrolls the operation
 * below the search, because it ignores the padding of the page.
 */
export const deepLinks = () => ({
  statePlugins: {
    layout: {
      wrapActions: {
        parseDeepLinkHash:
          (_original, { layoutActions }) =>
          (fragment) => {
            const [tag, operationId] = fragment.replace(/^#\/?/, '').split('/');
            if (!tag) return;
            const key = operationId ? ['operations', tag, operationId] : ['operations-tag', tag];
            layoutActions.show(['operations-tag', tag], true);
            layoutActions.show(key, true);
            layoutActions.scrollTo(key);
            layoutActions.scrollToVirtualizedOperation(key);
          },
        scrollToElement: () => (element) => element.scrollIntoView(),
      },
    },
  },
});
