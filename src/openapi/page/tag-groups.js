import { phraseOf } from './search.js';

/** Plugin that shows the names of the groups of tags. Search results have none. */
export const tagGroups = ({ React: { createElement, Fragment } }) => ({
  wrapComponents: {
    OperationTag:
      (OperationTag, { layoutSelectors, specSelectors }) =>
      (props) => {
        const isSearch = phraseOf(layoutSelectors.currentFilter()) !== '';
        const groups = specSelectors.specJson().get('x-tagGroups');
        const group = !isSearch && groups.find((each) => each.get('tags').first() === props.tag);
        return createElement(
          Fragment,
          null,
          group && createElement('h2', { className: 'tag-group' }, group.get('name')),
          createElement(OperationTag, props),
        );
      },
  },
});
