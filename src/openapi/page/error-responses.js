/** Plugin that shows a documented error as one line, which opens to its headers and example. */
export const errorResponses = ({ React }) => ({
  wrapComponents: {
    response: (Response) => {
      const Folded = foldable(React, Response);
      return (props) => React.createElement(Number(props.code) >= 400 ? Folded : Response, props);
    },
  },
});

const foldable = (React, Response) =>
  function FoldedResponse(props) {
    const { createElement } = React;
    const [isOpen, setOpen] = React.useState(false);
    const { code, response } = props;
    const summary = createElement(
      'tr',
      { className: 'response folded', 'data-code': code },
      createElement('td', { className: 'response-col_status' }, code),
      createElement(
        'td',
        { className: 'response-col_description' },
        createElement(
          'button',
          { type: 'button', 'aria-expanded': isOpen, onClick: () => setOpen(!isOpen) },
          response.get('description').replaceAll('`', ''),
        ),
      ),
    );
    const details =
      isOpen && createElement(Response, { ...props, code: '', response: response.delete('description') });
    return createElement(React.Fragment, null, summary, details);
  };
