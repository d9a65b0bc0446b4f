import dynamic from 'next/dynamic'
import { useTranslations } from 'next-intl'
import {
  type ComponentType,
  createContext,
  type ReactNode,
  useContext,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from 'react'
import { useIsHydrated } from '@/components/ui/browser-state'
import { Button } from '@/components/ui/button'
import { createExternalStore, useExternalStore } from '@/components/ui/external-store'
import { LoadFailure } from '@/components/ui/load-failure'
import { Spinner } from '@/components/ui/loading'
import type { MessageAreas } from './client-messages'
import { MoreMessages } from './messages-provider'
import { beginOpening } from './opening'

type Load<Props> = () => Promise<ComponentType<Props>>

/**
 * Creates a component whose code, and messages of these areas, are loaded when it is first rendered, or earlier by its
 * `preload`. If loading fails it shows a button to retry.
 */
export function lazyPart<Props extends object>(load: Load<Props>, fallback: ReactNode = null, ...areas: MessageAreas) {
  const loadWithAreas = areas.length === 0 ? load : () => loadWithMessages(load, areas)
  const DynamicPart = createDynamicPart(loadWithAreas, fallback)
  let preloadedPart: ComponentType<Props> | undefined
  const preload = async () => {
    preloadedPart ??= await loadWithAreas().catch(() => undefined)
  }
  function LoadedPart(props: Props) {
    // Preloaded code is rendered at once; `next/dynamic` would show the fallback first.
    const [Part] = useState<ComponentType<Props>>(() => preloadedPart ?? DynamicPart)
    return <Part {...props} />
  }
  // A part with messages renders in the browser only, because the server's page has no messages for it.
  const LazyPart = areas.length === 0 ? keepServerHtml(LoadedPart, preload) : onlyInBrowser(LoadedPart, fallback)
  return Object.assign(LazyPart, { preload })
}

/** The code for messages is imported only for parts that have some, so that the first screen need not load it. */
async function loadWithMessages<Props extends object>(load: Load<Props>, areas: MessageAreas) {
  const { loadAreas } = await import('@/lib/i18n/load-areas')
  const [Part, messages] = await Promise.all([load(), loadAreas(areas)])
  return function PartWithMessages(props: Props) {
    return (
      <MoreMessages messages={messages}>
        <Part {...props} />
      </MoreMessages>
    )
  }
}

function createDynamicPart<Props extends object>(load: Load<Props>, fallback: ReactNode) {
  const pendingRetry = createExternalStore<(() => void) | null>(null)
  const waitForRetry = async () => {
    await new Promise<void>((retry) => pendingRetry.set(retry))
    pendingRetry.set(null)
  }
  function LoadingOrFailed() {
    const retry = useExternalStore(pendingRetry)
    // Mounting the component again retries after a failure.
    useLayoutEffect(() => pendingRetry.read()?.(), [])
    return retry === null ? fallback : <PartFailure onRetry={retry} />
  }
  return dynamic<Props>(() => loadUntilSuccess(load, waitForRetry), { loading: LoadingOrFailed })
}

/**
 * Keeps the server's HTML of a part until its code is loaded. React would remove the HTML when the state around it
 * changes before that, and its place would be empty for a moment. If a text prop changes, such as a lead's key, the
 * HTML is given up, because it shows something else.
 */
function keepServerHtml<Props extends object>(Part: ComponentType<Props>, preload: () => Promise<void>) {
  return function ServerPart(props: Props) {
    const texts = Object.values(props)
      .filter((value) => typeof value === 'string')
      .join(' ')
    const isHydrated = useIsHydrated()
    const [serverTexts, setServerTexts] = useState(isHydrated ? null : texts)
    useEffect(() => {
      if (serverTexts !== null) void preload().then(() => setServerTexts(null))
    }, [serverTexts])
    if (serverTexts !== texts) return <Part {...props} />
    if (typeof window === 'undefined')
      return (
        <div className="contents">
          <Part {...props} />
        </div>
      )
    // React keeps the server's HTML where it is given other HTML; the warning about the difference is suppressed.
    return <div className="contents" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: '' }} />
  }
}

/** Renders `fallback` on the server, where `ssr: false` of `next/dynamic` would throw an error for each component. */
function onlyInBrowser<Props extends object>(Part: ComponentType<Props>, fallback: ReactNode) {
  return function BrowserPart(props: Props) {
    // The value is deferred, so that rendering the part does not block the browser right after hydration.
    return useDeferredValue(useIsHydrated()) ? <Part {...props} /> : fallback
  }
}

/** Loads the part, again after each failure and `wait`. `next/dynamic` would keep a rejection for good. */
async function loadUntilSuccess<Props>(load: Load<Props>, wait: () => Promise<unknown>): Promise<ComponentType<Props>> {
  for (;;) {
    const Part = await load().catch(() => null)
    if (Part !== null) return Part
    await wait()
  }
}

const CloseDialogContext = createContext<(() => void) | null>(null)

function PartFailure({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations('common')
  const onClose = useContext(CloseDialogContext)
  const failure = <LoadFailure onRetry={onRetry} className="justify-center p-5" />
  if (onClose === null) return failure
  return (
    <dialog
      // This is a plain `<dialog>`, because the code of `Dialog` is loaded on demand and may be missing, too.
      ref={(dialog) => {
        if (dialog?.open === false) dialog.showModal()
      }}
      aria-label={t('loadFailed')}
      onClose={onClose}
      className="m-auto rounded-xl border border-line bg-raised pb-5 text-center text-ink shadow-float"
    >
      {failure}
      <Button text={t('close')} variant="ghost" onClick={onClose} />
    </dialog>
  )
}

export function lazyPopoverContent<Props extends object>(load: Load<Props>) {
  return lazyPart(load, <Spinner className="m-4 text-faint" />)
}

/** Creates a lazy dialog: keys do nothing while it loads, and a failure is shown as a dialog. */
export function lazyDialog<Props extends { onClose: () => void }>(load: Load<Props>, ...areas: MessageAreas) {
  const Part = lazyPart(load, <DialogOpening />, ...areas)
  function LazyDialog(props: Props) {
    return (
      <CloseDialogContext value={props.onClose}>
        <Part {...props} />
      </CloseDialogContext>
    )
  }
  return Object.assign(LazyDialog, { preload: Part.preload })
}

function DialogOpening() {
  const close = useContext(CloseDialogContext)
  const onEscape = useEffectEvent(() => close?.())
  useLayoutEffect(() => beginOpening('dialog', () => onEscape()), [])
  return null
}

/** Loads the code of `Dialog` on demand, for dialogs that every page has but seldom opens. */
export const DeferredDialog = lazyDialog(async () => (await import('@/components/ui/dialog')).Dialog)

const RETRY_EVERY_MS = 15_000

/** Creates a part that the screen can do without: `fallback` stays until its code is loaded; failures are retried. */
export function optionalPart<Props extends object>(load: Load<Props>, fallback: ReactNode = null) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, RETRY_EVERY_MS))
  return onlyInBrowser(
    dynamic<Props>(() => loadUntilSuccess(load, pause), { loading: () => fallback }),
    fallback,
  )
}
