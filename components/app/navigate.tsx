import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { type ComponentProps, createContext, type ReactNode, useContext, useTransition } from 'react'
import { toast } from '@/components/ui/toast'
import { confirmIfUnsaved, countUnsavedForms } from '@/components/ui/unsaved-work'
import { writeSearchText } from '@/lib/inbox/search-text'
import { useIsLive } from './live'

type Navigation = readonly [isNavigating: boolean, start: (navigate: () => void) => void]
const NavigationContext = createContext<Navigation>([false, (navigate) => navigate()])

export const useIsNavigating = () => useContext(NavigationContext)[0]

/** Keeps the old screen until the new one is ready. */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const navigation = useTransition()
  return <NavigationContext value={navigation}>{children}</NavigationContext>
}

/** `searchText` is the search of the linked list. It is not in the URL, because addresses hold no personal data. */
type NavigateOptions = { searchText?: string | undefined; onNavigate?: (() => void) | undefined }

/** Returns a function that opens a screen if Intag answers; else the router would end at the browser's error page. */
export function useNavigate(): (href: string, options?: NavigateOptions) => void {
  const t = useTranslations('trouble')
  const router = useRouter()
  const [, startNavigation] = useContext(NavigationContext)
  const isLive = useIsLive()
  return (href, { searchText, onNavigate } = {}) => {
    const openScreen = () => {
      const [path = ''] = href.split('?')
      // A link to a list resets its search, so that all leads of the link are shown.
      writeSearchText(path, searchText ?? '')
      onNavigate?.()
      startNavigation(() => router.push(href))
    }
    confirmIfUnsaved(countUnsavedForms() > 0, async () => {
      if ((isLive && navigator.onLine) || (await isServerReachable())) openScreen()
      else toast(t('noContact'), { tone: 'error' })
    })
  }
}

/** Asks whether Intag runs. Only JSON counts, because a proxy may answer with an error page of its own. */
async function isServerReachable(): Promise<boolean> {
  const signal = AbortSignal.timeout(4_000)
  const answer = await fetch('/api/health/live', { cache: 'no-store', signal }).catch(() => null)
  return answer?.headers.get('content-type')?.includes('json') === true
}

type DeskLinkProps = Omit<ComponentProps<'a'>, 'href'> & NavigateOptions & { href: string }

/** A link within the desk. It prefetches nothing, because the server would render every linked screen of each page. */
export function DeskLink({ href, searchText, onNavigate, onClick, children, ...rest }: DeskLinkProps) {
  const navigate = useNavigate()
  return (
    <a
      href={href}
      {...rest}
      onClick={(event) => {
        onClick?.(event)
        const isForBrowser = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
        if (event.defaultPrevented || isForBrowser) return
        event.preventDefault()
        navigate(href, { searchText, onNavigate })
      }}
    >
      {children}
    </a>
  )
}
