/** What is looked for on a page, as JSON can carry it. */
export type Sought = { role: string; name: string | null; pattern: string | null; within: Sought | null }

/** What was found: its middle in the window, whether it can be pressed there, what it says and carries. */
export type Found = {
  x: number
  y: number
  isFree: boolean
  text: string
  value: string
  isChecked: boolean
  attributes: Record<string, string>
}

/** Everything on the page of a role and a name. Runs in the page, so that it means the same in every browser. */
export function findAll(sought: Sought): Found[] {
  const tags: Record<string, string> = {
    button: 'button:not([role])',
    cell: 'td',
    checkbox: 'input[type=checkbox]',
    combobox: 'select',
    dialog: 'dialog[open]',
    heading: 'h1, h2, h3',
    radio: 'input[type=radio]',
    region: 'section',
    searchbox: 'input[type=search]',
    textbox: 'input:is([type=text],[type=email],[type=password],:not([type])):not([role])',
  }
  const clean = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
  const spoken = (element: Element) => {
    const copy = element.cloneNode(true) as Element
    for (const silent of copy.querySelectorAll('[aria-hidden=true], svg')) silent.remove()
    return copy.textContent
  }
  const labelsOf = (element: Element) => ('labels' in element ? [...(element.labels as NodeListOf<HTMLElement>)] : [])
  const nameOf = (element: Element) => {
    const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? []
    const named = ids.map((id) => document.getElementById(id)).filter((label) => label !== null)
    if (named.length === 0 && element.ariaLabel) return clean(element.ariaLabel)
    const labels = named.length > 0 ? named : labelsOf(element)
    return clean((labels.length > 0 ? labels : [element]).map(spoken).join(' '))
  }
  const find = ({ role, name, pattern, within }: Sought): Element[] => {
    const roots = within === null ? [document.body] : find(within)
    const selector = [`[role=${role}]`, tags[role]].filter(Boolean).join(', ')
    return roots
      .flatMap((root) => [...root.querySelectorAll(selector)])
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => name === null || nameOf(element) === name)
      .filter((element) => pattern === null || new RegExp(pattern, 'u').test(nameOf(element)))
  }
  return find(sought).map((element, index) => {
    // A tick and its words are one: the words are pressed.
    const place =
      (element instanceof HTMLInputElement && /radio|checkbox/.test(element.type) && labelsOf(element)[0]) || element
    if (index === 0) place.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
    const { left, top, width, height } = place.getBoundingClientRect()
    const middle = { x: left + width / 2, y: top + height / 2 }
    const above = document.elementFromPoint(middle.x, middle.y)
    return {
      ...middle,
      isFree: width > 0 && place.contains(above),
      text: clean(element instanceof HTMLElement ? element.innerText : ''),
      value: 'value' in element ? String(element.value) : '',
      isChecked: element instanceof HTMLInputElement && element.checked,
      attributes: Object.fromEntries([...element.attributes].map((attribute) => [attribute.name, attribute.value])),
    }
  })
}
