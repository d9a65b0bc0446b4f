import { type Tab, until } from './browser'
import { type Found, findAll, type Sought } from './find-all'

/** Whom a person means: what it is, what it is called, and where to look. */
export type Named = { role: string; name?: string | RegExp; within?: Named }

/** As WebDriver writes the keys that are no signs. */
const KEYS: Record<string, string> = {
  Control: '\uE009',
  Tab: '\uE004',
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowLeft: '\uE012',
}

export type Person = {
  /** All that is on the page now, first things first. */
  all: (named: Named) => Promise<Found[]>
  /** Waits until it is there. */
  see: (named: Named) => Promise<Found>
  /** Waits until it is gone. */
  missing: (named: Named) => Promise<unknown>
  /** Clicks once nothing is above it any more. */
  press: (named: Named) => Promise<void>
  /** One key, or two at once as `Control+k`. */
  key: (keys: string) => Promise<void>
  write: (text: string) => Promise<void>
  /** One of the choices of a field; their list is the browser's own, outside of the page. */
  choose: (named: Named, value: string) => Promise<void>
}

/** What somebody does at a tab: looks for a thing by its name, presses it, types. */
export function personAt(tab: Tab): Person {
  const all = (named: Named) => tab.run(findAll, soughtFor(named))
  const see = (named: Named) => until(described(named), async () => (await all(named))[0])
  const type = (actions: object[]) => tab.act([{ type: 'key', id: 'keyboard', actions }])
  const write = (text: string) =>
    type([...text].flatMap((value) => ['keyDown', 'keyUp'].map((kind) => ({ type: kind, value }))))
  return {
    all,
    see,
    missing: (named) => until(`no ${described(named)}`, async () => (await all(named)).length === 0),
    press: async (named) => {
      const { x, y } = await until(`${described(named)}, at rest and with nothing above it`, async () => {
        const before = (await all(named))[0]
        await tab.run(() => new Promise<null>((resolve) => setTimeout(resolve, 60, null)))
        const now = (await all(named))[0]
        return now?.isFree && before?.x === now.x && before.y === now.y && now
      })
      await tab.act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: clickAt(x, y) }])
    },
    key: (keys) => {
      const values = keys.split(/\+(?=.)/).map((key) => KEYS[key] ?? key)
      return type([
        ...values.map((value) => ({ type: 'keyDown', value })),
        ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
      ])
    },
    write,
    choose: async (named, value) => {
      const { id } = (await see(named)).attributes
      await tab.run(chooseIn, id ?? '', value)
      await until(`${value} is chosen`, async () => (await see(named)).value === value)
    },
  }
}

/** Runs in the page. */
function chooseIn(id: string, value: string): void {
  const field = document.getElementById(id)
  if (!(field instanceof HTMLSelectElement)) throw new Error(`${id} is no field to choose in`)
  field.value = value
  field.dispatchEvent(new Event('change', { bubbles: true }))
}

function clickAt(x: number, y: number): object[] {
  return [
    { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport' },
    { type: 'pointerDown', button: 0 },
    { type: 'pointerUp', button: 0 },
  ]
}

function described({ role, name, within }: Named): string {
  return `${role} ${String(name ?? '')}${within === undefined ? '' : ` in ${described(within)}`}`
}

function soughtFor({ role, name, within }: Named): Sought {
  return {
    role,
    name: typeof name === 'string' ? name : null,
    pattern: name instanceof RegExp ? name.source : null,
    within: within === undefined ? null : soughtFor(within),
  }
}
