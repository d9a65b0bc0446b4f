import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import { type ComponentProps, createContext, type ReactNode, useContext, useTransition } from 'react'
import { toast } from '@/components/ui/toast'
import { confirmIfUnsaved, unsavedFormCount } from '@/components/ui/unsaved-work'
import { writeSearchText } from '@/lib/inbox/search-text'
import { useIsLive } from './live'

export const loadServerCheck = () => import('@/lib/api/wait-for-server')

const NavigatingContext = createContext(false)
const StartNavigationContext = createContext<(navigate: () => void) => void>((navigate) => navigate())

export const useIsNavigating = () => useContext(NavigatingContext)

/** Keeps the old screen until the new one is ready. */
export function NavigationProvider({ children }: { children: ReactNode }) {
  const [isNavigating, startTransition] = useTransition()
  return (
    <StartNavigationContext value={startTransition}>
      <NavigatingContext value={isNavigating}>{children}</NavigatingContext>
    </StartNavigationContext>
  )
}

/** `searchText` is the search of the linked list. It is not in the URL, because addresses hold no personal data. */
type NavigateOptions = { searchText?: string | undefined; onNavigate?: (() => void) | undefined }

/** Opens a screen. Without a live stream it waits for the server first, or else the router might show an error page. */
export function useNavigate(): (href: string, options?: NavigateOptions) => void {
  const t = useTranslations('trouble')
  const cancel = useTranslations('common')('cancel')
  const router = useRouter()
  const startNavigation = useContext(StartNavigationContext)
  const isLive = useIsLive()
  const client = useQueryClient()
  const errorToast = { tone: 'error', topic: 'reach' } as const
  return (href, { searchText, onNavigate } = {}) => {
    const openScreen = () => {
      const [path = ''] = href.split('?')
      // A link to a list resets its search, so that all leads of the link are shown.
      writeSearchText(path, searchText ?? '')
      onNavigate?.()
      startNavigation(() => router.push(href))
    }
    confirmIfUnsaved(unsavedFormCount.read() > 0, async () => {
      if (isLive && navigator.onLine) return openScreen()
      const code = await loadServerCheck().catch(() => null)
      if (code === null) return toast(t('noWay'), errorToast)
      const onFirstFailure = (onClick: () => void) =>
        toast(t('noContact'), { ...errorToast, action: { label: cancel, onClick } })
      if (await code.waitForServer(client, onFirstFailure)) openScreen()
    })
  }
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
