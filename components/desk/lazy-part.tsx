import {
  type ComponentType,
  createElement,
  type ReactNode,
  Suspense,
  use,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { type LazyCode, lazyCode } from '@/components/browser/lazy-code'
import { keepLetters } from '@/components/browser/typing'
import { Spinner } from '@/components/ui/loading'
import type { LazyAreaName } from './lazy-area'
import { CloseDialog, PartBoundary, PartFailure } from './part-failure'

type Load<Props> = () => Promise<ComponentType<Props>>

/** A part whose code and messages are fetched when it is first shown, or by `load`. A failure can be tried again. */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  fallback: ReactNode = null,
  ...areas: LazyAreaName[]
) {
  const code = lazyCode(areas.length === 0 ? load : () => loadWithMessages(load, areas))
  function Loaded(props: Props) {
    const Part = useLoaded(code)
    if (Part === undefined) return <PartFailure kind="missing" onRetry={() => void code.want()} />
    return createElement(Part, props)
  }
  function LazyPart(props: Props) {
    return (
      <PartBoundary resetKey={'id' in props ? props.id : undefined}>
        <Suspense fallback={fallback}>
          <Loaded {...props} />
        </Suspense>
      </PartBoundary>
    )
  }
  return Object.assign(LazyPart, { load: code.preload })
}

/** What a popover shows; it opens with a sign that this is on its way. */
export function lazyContent<Props extends object>(load: Load<Props>) {
  return lazyPart(load, <Spinner className="m-4 size-4 text-faint" />)
}

/** The provider of messages is loaded with the first part that needs it, so the first screen is spared it. */
async function loadWithMessages<Props extends object>(load: Load<Props>, areas: readonly LazyAreaName[]) {
  const messages = async () => {
    const { withMessages, preloadMessages } = await import('./lazy-area')
    await preloadMessages(areas)
    return withMessages
  }
  const [Part, withMessages] = await Promise.all([load(), messages()])
  return withMessages(Part, areas)
}

/** The same for a dialog: letters typed before it is open go to its field, and a failure is shown as a dialog. */
export function lazyDialog<Props extends { onClose: () => void }>(load: Load<Props>, ...areas: LazyAreaName[]) {
  const Part = lazyPart(load, null, ...areas)
  function LazyDialog(props: Props) {
    const close = useRef(props.onClose)
    useLayoutEffect(() => {
      close.current = props.onClose
    })
    useLayoutEffect(() => keepLetters('dialog', () => close.current()), [])
    return (
      <CloseDialog value={props.onClose}>
        <Part {...props} />
      </CloseDialog>
    )
  }
  return Object.assign(LazyDialog, { load: Part.load })
}

/** Suspends until the code is loaded. Undefined when that failed. */
function useLoaded<Code>({ subscribe, lastTry }: LazyCode<Code>): Code | undefined {
  return use(useSyncExternalStore(subscribe, lastTry, lastTry))
}
