import { ArrowLeft } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useRouter } from 'next/navigation'
import type { MouseEvent } from 'react'
import { DeskLink } from '@/components/desk/go'
import { buttonClass } from '@/components/ui/button-class'
import type { ContactLead } from '@/lib/contract/contact'
import { LISTS_BY_KIND } from '@/lib/contract/lists'

/** Back to where one came from, as it was; whoever came by a link gets to the person's newest lead in its list. */
export function WayBack({ newest: { kind, lead } }: { newest: ContactLead }) {
  const t = useTranslations('contact')
  const router = useRouter()
  const back = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !cameFromHere(window)) return
    event.preventDefault()
    router.back()
  }
  return (
    <DeskLink
      href={`${LISTS_BY_KIND[kind].href}?${new URLSearchParams({ lead: lead.id })}`}
      onClick={back}
      className={buttonClass({ variant: 'ghost', size: 'sm', className: '-ml-2.5 print:hidden' })}
    >
      <ArrowLeft aria-hidden className="size-3.5" />
      {t('back')}
    </DeskLink>
  )
}

/** The part of the Navigation API that is used; typed here because not every browser has it. */
type Entry = { readonly index: number; readonly url: string | null }
type NavigationLike = { readonly currentEntry: Entry | null; entries: () => readonly Entry[] }

/** Whether the page before this one in the tab is one of the desk's, and not where one signs in. */
function cameFromHere({ navigation, location }: { navigation?: NavigationLike; location: Location }): boolean {
  const index = navigation?.currentEntry?.index ?? 0
  const { url = null } = navigation?.entries()[index - 1] ?? {}
  if (url === null) return false
  const { origin, pathname } = new URL(url)
  return origin === location.origin && !/^\/(signin|invite)/.test(pathname)
}
