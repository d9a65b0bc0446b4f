import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  type TransitionStartFunction,
  useContext,
  useTransition,
} from 'react'
import { lazyCode } from '@/components/browser/lazy-code'
import { useIsLive } from '@/components/browser/live'
import { toast } from '@/components/ui/toast'

/**
 * While it is in doubt whether the server answers (no network, the live stream is cut), it is asked first: the router would
 * leave the desk for the error page of the browser or of a proxy. As long as all is well this costs nothing.
 */
function useGuard() {
  const t = useTranslations()
  const isLive = useIsLive()
  const tell = (action?: { label: string; onClick: () => void }) =>
    toast(t(action === undefined ? 'trouble.noWay' : 'trouble.noContact'), { tone: 'error', topic: 'reach', action })
  return {
    isInDoubt: () => !isLive || !navigator.onLine,
    whenReached: async (go: () => void) => {
      const code = await reachCode.want()
      const goal = code?.newGoal()
      if (goal === undefined) return tell()
      const cancel = { label: t('common.cancel'), onClick: goal.forget }
      if (await goal.isReached(() => tell(cancel))) go()
    },
  }
}

export const reachCode = lazyCode(() => import('@/lib/api/reach'))

const IsGoing = createContext(false)
const StartGoing = createContext<TransitionStartFunction>((go) => void go())

/** Knows while a person is on the way to another screen: the one that is left stays until the other has come. */
export function GoingProvider({ children }: { children: ReactNode }) {
  const [isGoing, start] = useTransition()
  return (
    <StartGoing value={start}>
      <IsGoing value={isGoing}>{children}</IsGoing>
    </StartGoing>
  )
}

/** Whether another screen is on its way. */
export function useIsGoing(): boolean {
  return useContext(IsGoing)
}

/** Goes to another screen, as `DeskLink` does. */
export function useGo(): (href: string, onGo?: () => void) => void {
  const router = useRouter()
  const start = useContext(StartGoing)
  const { isInDoubt, whenReached } = useGuard()
  return (href, onGo) => {
    const go = () => {
      onGo?.()
      start(() => router.push(href))
    }
    if (isInDoubt()) void whenReached(go)
    else go()
  }
}

type DeskLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  /** Just before it goes there. */
  onGo?: () => void
}

/**
 * A link to another screen, for all that is pressed within the desk. Nothing is fetched before it is pressed, because the server draws
 * every screen anew and each page would ask for six more that hold nothing; so the code of Next's own link has no work here.
 */
export function DeskLink({ href, onGo, onClick, children, ...rest }: DeskLinkProps) {
  const go = useGo()
  return (
    <a
      href={href}
      {...rest}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || isForBrowser(event)) return
        event.preventDefault()
        go(href, onGo)
      }}
    >
      {children}
    </a>
  )
}

/** Into another tab or window, or as a file. */
function isForBrowser(event: MouseEvent): boolean {
  return event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
}
