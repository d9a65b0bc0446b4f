import dynamic from 'next/dynamic'
import {
  type ComponentType,
  type ReactNode,
  useContext,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { createSubscription, useIsHydrated } from '@/components/ui/browser-tab'
import { Spinner } from '@/components/ui/loading'
import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import type { LazyMessageAreas } from './lazy-messages'
import { beginOpening } from './opening'
import { CloseDialogContext, PartErrorBoundary, PartFailure } from './part-failure'

type LoadComponent<Props> = () => Promise<ComponentType<Props>>

/**
 * A part whose code and messages are loaded when it is first shown, or ahead of time by its `load`. When that fails, the part
 * says so, and loads again on a press or when the network is back.
 */
export function lazyPart<Props extends object>(
  load: LoadComponent<Props>,
  fallback: ReactNode = null,
  ...areas: LazyMessageAreas
) {
  // The code for messages comes with the first part that needs it, so that the first screen is spared it.
  const fetchPart = async () => {
    if (areas.length === 0) return load()
    const { loadMessages, withMessages } = await import('./lazy-messages')
    const [Part] = await Promise.all([load(), loadMessages(areas)])
    return withMessages(Part, areas)
  }
  /** Loads again, after a failure. */
  const pendingRetry = createExternalStore<(() => void) | null>(null)
  const waitForRetry = async () => {
    await new Promise<void>((retry) => pendingRetry.set(retry))
    pendingRetry.set(null)
  }
  function LoadingOrFailed() {
    const retry = useExternalStore(pendingRetry, (state) => state)
    // A part that is shown again after a failure loads again.
    useLayoutEffect(() => pendingRetry.read()?.(), [])
    return retry === null ? fallback : <PartFailure kind="partMissing" onRetry={retry} />
  }
  const DynamicPart = dynamic<Props>(() => loadUntilSuccess(fetchPart, waitForRetry), { loading: LoadingOrFailed })
  let preloaded: ComponentType<Props> | undefined
  function LazyPart(props: Props) {
    // Code that came ahead of time is shown at once; React would show the fallback first.
    const [Part] = useState<ComponentType<Props>>(() => preloaded ?? DynamicPart)
    return (
      <PartErrorBoundary resetKey={findPropId(props)}>
        <Part {...props} />
      </PartErrorBoundary>
    )
  }
  const preload = async () => {
    preloaded ??= await fetchPart().catch(() => undefined)
  }
  // The server has no messages of a late area.
  const Part = areas.length === 0 ? keepServerHtml(LazyPart, preload) : onlyInBrowser(LazyPart, fallback)
  return Object.assign(Part, { load: preload })
}

const findPropId = (props: object) => ('id' in props ? props.id : undefined)

/**
 * Keeps the HTML of a part that the server has drawn until the part's code is loaded. React would take the HTML away when the
 * state around the part changes before that, and its place would be empty for a moment.
 */
function keepServerHtml<Props extends object>(Part: ComponentType<Props>, load: () => Promise<void>) {
  return function ServerPart(props: Props) {
    const [serverDrawn, setServerDrawn] = useState(useIsHydrated() ? null : { id: findPropId(props) })
    useEffect(() => {
      if (serverDrawn !== null) void load().then(() => setServerDrawn(null))
    }, [serverDrawn])
    if (serverDrawn === null || serverDrawn.id !== findPropId(props)) return <Part {...props} />
    if (typeof window !== 'undefined')
      return <div className="contents" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
    return (
      <div className="contents">
        <Part {...props} />
      </div>
    )
  }
}

/** Draws `fallback` on the server. There `ssr: false` of `next/dynamic` would throw an error for each part of each page. */
function onlyInBrowser<Props extends object>(Part: ComponentType<Props>, fallback: ReactNode) {
  return function BrowserPart(props: Props) {
    // Deferred, so that drawing the parts does not block the browser once more after the page's first drawing.
    return useDeferredValue(useIsHydrated()) ? <Part {...props} /> : fallback
  }
}

/** `next/dynamic` remembers a failure for good, so it gets a promise that only ends well. */
async function loadUntilSuccess<Props>(
  load: LoadComponent<Props>,
  wait: () => Promise<unknown>,
): Promise<ComponentType<Props>> {
  for (;;) {
    const Part = await load().catch(() => null)
    if (Part !== null) return Part
    await wait()
  }
}

/** The content of a popover, which opens with a spinner until it is loaded. */
export function lazyPopoverContent<Props extends object>(load: LoadComponent<Props>) {
  return lazyPart(load, <Spinner className="m-4 size-4 text-faint" />)
}

/** The same for a dialog: keys do nothing while it loads, and a failure is shown as a dialog. */
export function lazyDialog<Props extends { onClose: () => void }>(
  load: LoadComponent<Props>,
  ...areas: LazyMessageAreas
) {
  const Part = lazyPart(load, <DialogOpening />, ...areas)
  function LazyDialog(props: Props) {
    return (
      <CloseDialogContext value={props.onClose}>
        <Part {...props} />
      </CloseDialogContext>
    )
  }
  return Object.assign(LazyDialog, { load: Part.load })
}

function DialogOpening() {
  const close = useContext(CloseDialogContext)
  const onEscape = useEffectEvent(() => close?.())
  useLayoutEffect(() => beginOpening('dialog', () => onEscape()), [])
  return null
}

/** The kit's dialog, for what is on every page and opens seldom. */
export const DeferredDialog = lazyDialog(async () => (await import('@/components/ui/dialog')).Dialog)

const RETRY_EVERY_MS = 15_000

/** A part that the screen can do without: until its code is loaded, `fallback` stands in its place, also on the server. */
export function optionalPart<Props extends object>(load: LoadComponent<Props>, fallback: ReactNode = null) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS))
  return onlyInBrowser(
    dynamic<Props>(() => loadUntilSuccess(load, pause), { loading: () => fallback }),
    fallback,
  )
}

const onInput = createSubscription(() => window, 'pointermove', 'pointerdown', 'keydown', 'click')

/** Resolves at the user's next input, or when the signal aborts. */
export function waitForInput(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const stop = onInput(() => (stop(), resolve()))
    signal.addEventListener('abort', () => (stop(), resolve()))
  })
}

const IDLE_TIMEOUT_MS = 1_000

/**
 * Fetches ahead what keys and presses will ask for, once the user has moved, pressed or typed: one after the other, each
 * when the browser is idle, so that none delays what the user asks for meanwhile. `loads` must stay the same.
 */
export function usePreloadWhenIdle(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    const { saveData }: { saveData?: unknown } = 'connection' in navigator ? Object(navigator.connection) : {}
    if (saveData === true) return undefined
    const unmount = new AbortController()
    const preload = async () => {
      await waitForInput(unmount.signal)
      // Safari has no such call.
      const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200))
      for (const load of loads) {
        await new Promise((resolve) => whenIdle(resolve, { timeout: IDLE_TIMEOUT_MS }))
        if (unmount.signal.aborted) return
        await load().catch(() => {})
      }
    }
    void preload()
    return () => unmount.abort()
  }, [loads])
}
