/**
 * Plugin that reads the document as JSON, because the YAML parser of Swagger UI takes six times as long. The page shows a
 * copy of the document with fewer examples, and links to the document itself.
 */
export const apiDocument = ({ React: { createElement } }) => ({
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_original, { specActions }) =>
          (text) =>
            specActions.updateJsonSpec(JSON.parse(text)),
      },
    },
  },
  components: {
    InfoUrl: () => createElement('a', { className: 'link', href: '../openapi.json' }, 'openapi.json'),
  },
});
