import dynamic from 'next/dynamic'
import { type ComponentType, type ReactNode, useContext, useEffectEvent, useLayoutEffect, useState } from 'react'
import { createShownState, useShown } from '@/components/ui/shown-state'
import { Spinner } from '@/components/ui/loading'
import type { LazyAreaName } from './lazy-area'
import { beginOpening } from './opening'
import { CloseDialog, PartBoundary, PartFailure } from './part-failure'

type Load<Props> = () => Promise<ComponentType<Props>>

/**
 * A part whose code and messages come when it is first shown, or ahead of time by its `load`. Where they do not, the part says
 * so, and asks for them again on a press or when the network is back.
 */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  fallback: ReactNode = null,
  ...areas: LazyAreaName[]
) {
  const failure = createShownState<{ retry: () => void } | null>(null)
  const fetchPart = () => (areas.length === 0 ? load() : loadWithMessages(load, areas))
  const untilRetried = async () => {
    await new Promise<void>((retry) => failure.show({ retry }))
    failure.show(null)
  }
  function Waiting() {
    const failed = useShown(failure, (state) => state)
    // Shown again after a failure, it tries again.
    useLayoutEffect(() => failure.read()?.retry(), [])
    return failed === null ? fallback : <PartFailure kind="partMissing" onRetry={failed.retry} />
  }
  // The server has no messages of a late area.
  const ssr = areas.length === 0
  const DynamicPart = dynamic<Props>(() => untilThere(fetchPart, untilRetried), { loading: Waiting, ssr })
  let loadedAhead: ComponentType<Props> | undefined
  function LazyPart(props: Props) {
    // Code that came ahead of time is shown at once; React would show the fallback first.
    const [Part] = useState<ComponentType<Props>>(() => loadedAhead ?? DynamicPart)
    return (
      <PartBoundary resetKey={'id' in props ? props.id : undefined}>
        <Part {...props} />
      </PartBoundary>
    )
  }
  const loadAhead = async () => {
    loadedAhead ??= await fetchPart().catch(() => undefined)
  }
  return Object.assign(LazyPart, { load: loadAhead })
}

/** `next/dynamic` remembers a failure for good, so it gets a promise that only ends well. */
async function untilThere<Props>(load: Load<Props>, wait: () => Promise<unknown>): Promise<ComponentType<Props>> {
  for (;;) {
    const Part = await load().catch(() => null)
    if (Part !== null) return Part
    await wait()
  }
}

/** The provider of messages is loaded with the first part that needs it, so the first screen is spared it. */
async function loadWithMessages<Props extends object>(load: Load<Props>, areas: readonly LazyAreaName[]) {
  const [Part, { withMessages }] = await Promise.all([
    load(),
    import('./lazy-area').then(async (code) => {
      await code.loadMessages(areas)
      return code
    }),
  ])
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

const AGAIN_MS = 15_000

/** A part that the screen can do without: `fallback` stands in its place, also on the server, until its code is here. */
export function optionalPart<Props extends object>(load: Load<Props>, fallback: ReactNode = null) {
  const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  return dynamic<Props>(() => untilThere(load, pause), { ssr: false, loading: () => fallback })
}
