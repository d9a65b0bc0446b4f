import {
  Component,
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
import type { LazyAreaName } from '@/lib/i18n/lazy-messages'
import { CloseDialog, PartFailure } from './part-failure'

type Load<Props> = () => Promise<ComponentType<Props>>

/**
 * A part of the screen whose code, with the messages of its areas, is fetched when it is first shown, or ahead of that by `load`.
 * If it cannot be fetched, or breaks, it says so in its own place and can be tried again; the rest of the screen goes on.
 */
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

/** The same for a dialog: what is typed before it is up goes to its field, and its failure is told in a dialog too. */
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

/** What is fetched; the nearest Suspense waits for it. Undefined: it cannot be had at the moment. */
function useArrived<Code>({ subscribe, lastTry }: LazyCode<Code>): Code | undefined {
  return use(useSyncExternalStore(subscribe, lastTry, lastTry))
}

type BoundaryProps = { children: ReactNode; /** What broke over one thing may do for the next. */ about?: unknown }
type BoundaryState = { isBroken: boolean; about: unknown }

/** Keeps the fault of one part from taking the whole screen with it. */
export class PartBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { isBroken: false, about: this.props.about }
  static getDerivedStateFromError() {
    return { isBroken: true }
  }
  static getDerivedStateFromProps({ about }: BoundaryProps, before: BoundaryState) {
    return about === before.about ? null : { isBroken: false, about }
  }
  override render() {
    if (!this.state.isBroken) return this.props.children
    return <PartFailure is="broken" onRetry={() => this.setState({ isBroken: false })} />
  }
}
