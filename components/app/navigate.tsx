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
import { useIsLive } from './live'
import { leaveForm, unsavedWork } from '@/components/ui/unsaved-work'
import { toast } from '@/components/ui/toast'
import { LIST_RESTARTED } from '@/lib/inbox/search-text'

export const loadServerCheck = () => import('@/lib/api/wait-for-server')

const IsNavigating = createContext(false)
const StartNavigation = createContext<TransitionStartFunction>((run) => void run())

/** The old screen stays until the new one is ready. */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const [isNavigating, start] = useTransition()
  return (
    <StartNavigation value={start}>
      <IsNavigating value={isNavigating}>{children}</IsNavigating>
    </StartNavigation>
  )
}

export function useIsNavigating(): boolean {
  return useContext(IsNavigating)
}

/** Checks first that the server answers when that is in doubt: the router would show the browser's error page. */
export function useNavigate(): (href: string, onNavigate?: () => void) => void {
  const t = useTranslations()
  const router = useRouter()
  const start = useContext(StartNavigation)
  const isLive = useIsLive()
  const showProblem = (action?: { label: string; onClick: () => void }) =>
    toast(t(action === undefined ? 'trouble.noWay' : 'trouble.noContact'), { tone: 'error', topic: 'reach', action })
  const isReached = async (): Promise<boolean> => {
    const code = await loadServerCheck().catch(() => null)
    if (code === null) {
      showProblem()
      return false
    }
    const goal = code.createReachCheck()
    return goal.isReached(() => showProblem({ label: t('common.cancel'), onClick: goal.cancel }))
  }
  return (href, onNavigate) => {
    const navigate = () => {
      // A search is not in the address: on the same screen it must be cleared, so that the link shows all it names.
      if (href.split('?')[0] === location.pathname) window.dispatchEvent(new CustomEvent(LIST_RESTARTED))
      onNavigate?.()
      start(() => router.push(href))
    }
    const isChanged = unsavedWork.read().forms > 0
    leaveForm(isChanged, () => {
      if (isLive && navigator.onLine) navigate()
      else void isReached().then((isThere) => isThere && navigate())
    })
  }
}

type DeskLinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  href: string
  onNavigate?: () => void
}

/** A link within the desk. It prefetches nothing: each page has six links, and the server would render all of them. */
export function DeskLink({ href, onNavigate, onClick, children, ...rest }: DeskLinkProps) {
  const navigate = useNavigate()
  return (
    <a
      href={href}
      {...rest}
      onClick={(event) => {
        onClick?.(event)
        if (event.defaultPrevented || isForBrowser(event)) return
        event.preventDefault()
        navigate(href, onNavigate)
      }}
    >
      {children}
    </a>
  )
}

function isForBrowser(event: MouseEvent): boolean {
  return event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
}
