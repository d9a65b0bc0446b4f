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
import type { LazyAreaName } from './lazy-area'
import { CloseDialog, PartBoundary, PartFailure } from './part-failure'

type Load<Props> = () => Promise<ComponentType<Props>>

/** A part whose code and messages are fetched when it is first shown, or by `load`. A failure can be tried again. */
export function lazyPart<Props extends object>(
  load: Load<Props>,
  fallback: ReactNode = null,
  ...areas: LazyAreaName[]
) {
  const code = lazyCode(areas.length === 0 ? load : () => withWords(load, areas))
  function Arriving(props: Props) {
    const Part = useArrived(code)
    if (Part === undefined) return <PartFailure is="missing" onRetry={() => void code.want()} />
    return createElement(Part, props)
  }
  function LazyPart(props: Props) {
    return (
      <PartBoundary about={'id' in props ? props.id : undefined}>
        <Suspense fallback={fallback}>
          <Arriving {...props} />
        </Suspense>
      </PartBoundary>
    )
  }
  return Object.assign(LazyPart, { load: code.ahead })
}

/** What puts messages around a part comes with the first that has some: the first screen is without it. */
async function withWords<Props extends object>(load: Load<Props>, areas: readonly LazyAreaName[]) {
  const words = async () => {
    const { inAreas, fetchAhead } = await import('./lazy-area')
    await fetchAhead(areas)
    return inAreas
  }
  const [Part, inAreas] = await Promise.all([load(), words()])
  return inAreas(Part, areas)
}

/** The same for a dialog: what is typed before it is up goes to its field, and its failure is shown in a dialog too. */
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

/** What is fetched; the nearest Suspense waits for it. Undefined when it failed. */
function useArrived<Code>({ subscribe, lastTry }: LazyCode<Code>): Code | undefined {
  return use(useSyncExternalStore(subscribe, lastTry, lastTry))
}
