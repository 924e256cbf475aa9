/** Plugin that shows the names of the groups of tags. Search results have none. */
export const tagGroups = ({ React: { createElement, Fragment } }) => ({
  wrapComponents: {
    OperationTag:
      (OperationTag, { layoutSelectors, specSelectors }) =>
      (props) => {
        const isSearch = typeof layoutSelectors.currentFilter() === 'string';
        const groups = isSearch ? undefined : specSelectors.specJson().get('x-tagGroups');
        const group = groups?.find((each) => each.get('tags').first() === props.tag);
        return createElement(
          Fragment,
          null,
          group && createElement('h2', { className: 'tag-group' }, group.get('name')),
          createElement(OperationTag, props),
        );
      },
  },
});
