import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { lazyCode } from '@/components/browser/lazy-code'
import { Spinner } from '@/components/ui/loading'
import type { LazyAreaName } from './lazy-area'
import { beginOpening } from './opening'
import { CloseDialog, PartBoundary } from './part-failure'

type Load<Props> = () => Promise<ComponentType<Props>>

/** A part whose code and messages are fetched when it is first shown, or ahead of time by its `load`. */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  fallback: ReactNode = null,
  ...areas: LazyAreaName[]
) {
  let loaded: ComponentType<Props> | undefined
  const fetchPart = async () => {
    const Part = areas.length === 0 ? await load() : await loadWithMessages(load, areas)
    loaded ??= Part
    return { default: loaded }
  }
  // What was fetched ahead is shown at once. React remembers a failure for good, so each try is a part of its own.
  const current = () => loaded ?? lazy(fetchPart)
  function LazyPart(props: Props) {
    const [Part, setPart] = useState(current)
    return (
      <PartBoundary resetKey={'id' in props ? props.id : undefined} onRetry={() => setPart(current)}>
        <Suspense fallback={fallback}>
          <Part {...props} />
        </Suspense>
      </PartBoundary>
    )
  }
  // A failure ahead of time is forgotten: the first use tries again.
  const preload = () => fetchPart().catch(() => {})
  return Object.assign(LazyPart, { load: preload })
}

/** The provider of messages is loaded with the first part that needs it, so the first screen is spared it. */
async function loadWithMessages<Props extends object>(load: Load<Props>, areas: readonly LazyAreaName[]) {
  const messages = async () => {
    const { withMessages, loadMessages } = await import('./lazy-area')
    await loadMessages(areas)
    return withMessages
  }
  const [Part, withMessages] = await Promise.all([load(), messages()])
  return withMessages(Part, areas)
}

/** What a popover shows; it opens with a sign that this is on its way. */
export function lazyContent<Props extends object>(load: Load<Props>) {
  return lazyPart(load, <Spinner className="m-4 size-4 text-faint" />)
}

/** The same for a dialog: while it is on its way keys do nothing, and a failure is shown as a dialog. */
export function lazyDialog<Props extends { onClose: () => void }>(load: Load<Props>, ...areas: LazyAreaName[]) {
  const Part = lazyPart(load, <OpeningDialog />, ...areas)
  function LazyDialog(props: Props) {
    return (
      <CloseDialog value={props.onClose}>
        <Part {...props} />
      </CloseDialog>
    )
  }
  return Object.assign(LazyDialog, { load: Part.load })
}

function OpeningDialog() {
  const close = useContext(CloseDialog)
  const onEscape = useEffectEvent(() => close?.())
  useLayoutEffect(() => beginOpening('dialog', () => onEscape()), [])
  return null
}

const OPTIONAL_AGAIN_MS = 15_000

/** A part that the screen can do without: `fallback` stands in its place, also on the server, until its code is here. */
export function optionalPart<Props extends object>(load: Load<Props>, fallback: ReactNode = null) {
  const code = lazyCode(load)
  return function OptionalPart(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props>>()
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const get = async () => {
        const loaded = await code.want()
        if (loaded === undefined) timer = setTimeout(get, OPTIONAL_AGAIN_MS)
        else setPart(() => loaded)
      }
      void get()
      return () => clearTimeout(timer)
    }, [])
    return Part === undefined ? fallback : createElement(Part, props)
  }
}
