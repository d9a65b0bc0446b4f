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

export function useIsGoing(): boolean {
  return useContext(IsGoing)
}

/** When the server may not answer, asks it first: the router would leave the desk for an error page. */
export function useGo(): (href: string, onGo?: () => void) => void {
  const t = useTranslations()
  const router = useRouter()
  const start = useContext(StartGoing)
  const isLive = useIsLive()
  const say = (action?: { label: string; onClick: () => void }) =>
    toast(t(action === undefined ? 'trouble.noWay' : 'trouble.noContact'), { tone: 'error', topic: 'reach', action })
  const isReached = async (): Promise<boolean> => {
    const code = await reachCode.want()
    const goal = code?.newGoal()
    if (goal === undefined) {
      say()
      return false
    }
    return goal.isReached(() => say({ label: t('common.cancel'), onClick: goal.forget }))
  }
  return (href, onGo) => {
    const go = () => {
      onGo?.()
      start(() => router.push(href))
    }
    if (isLive && navigator.onLine) go()
    else void isReached().then((isThere) => isThere && go())
  }
}

type DeskLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  onGo?: () => void
}

/** A link within the desk. It prefetches nothing: each page would ask for six more that the server draws again. */
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
