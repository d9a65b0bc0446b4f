import { useTranslations } from 'next-intl'
import { usePathname, useSearchParams } from 'next/navigation'
import { DeskLink } from '@/components/desk/navigate'
import { useSchoolNames } from '@/components/desk/schools'
import type { LeadItem } from '@/lib/api/leads'
import type { LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { isQuestion } from '@/lib/inbox/lead-text'

/** Links to the lead, and keeps the filters if its list is the one on screen. */
export function LeadTitle({ kind, lead, isCurrent = false }: { kind: LeadKind; lead: LeadItem; isCurrent?: boolean }) {
  const t = useTranslations('contact.timeline')
  const schools = useSchoolNames()
  const pathname = usePathname()
  const current = useSearchParams()
  const title = t(isQuestion(lead) ? 'question' : 'declaration', { school: schools.of(lead) })
  if (isCurrent) return <span className="font-medium wrap-anywhere">{title}</span>
  const path = LISTS_BY_KIND[kind].href
  const search = new URLSearchParams(pathname === path ? current : undefined)
  search.set('lead', lead.id)
  return (
    <DeskLink
      href={`${path}?${search}`}
      className="rounded-xs font-medium wrap-anywhere touch:min-h-11 touch:content-center decoration-line underline-offset-3 hover:text-accent hover:underline"
    >
      {title}
    </DeskLink>
  )
}
