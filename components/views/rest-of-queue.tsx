import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useUrlState } from '@/components/browser/url-state'
import { DeskLink } from '@/components/desk/go'
import { inAreas } from '@/components/desk/lazy-area'
import { useSchoolFilter } from '@/components/desk/schools'
import { useDay } from '@/components/triage/use-pending'
import { otherHalves } from '@/lib/inbox/queues'

type RestOfQueueProps = { show: string; className: string }

/** A queue is of both lists: on one of them, how much of it the other has, and the way there. */
export const RestOfQueue = inAreas(Halves, ['day'])

function Halves({ show, className }: RestOfQueueProps) {
  const t = useTranslations('day')
  const [schools] = useSchoolFilter()
  const { data: day } = useDay(schools)
  const isHere = useIsHere()
  return (
    day &&
    otherHalves(day, schools, isHere).map(({ list, count, href }) => {
      const said = t('alsoInQueue', { what: t(`in.${list}`, { count }) })
      return (
        <span key={list}>
          {said}{' '}
          <DeskLink href={href} aria-label={`${show}: ${said}`} className={className}>
            {show}
          </DeskLink>
        </span>
      )
    })
  )
}

/** Tells of a link whether the address is its own, whichever lead is open. */
export function useIsHere(): (href: string) => boolean {
  const pathname = usePathname()
  const { search } = useUrlState()
  const here = `${pathname}?${inOrder(search)}`
  return (href) => {
    const [path = '', query = ''] = href.split('?')
    return here === `${path}?${inOrder(new URLSearchParams(query))}`
  }
}

function inOrder(search: URLSearchParams): string {
  return [...search]
    .filter(([name]) => name !== 'lead')
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('&')
}
