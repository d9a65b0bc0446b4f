import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { DeskLink } from '@/components/desk/go'
import { useSchoolFilter, useScreenHref } from '@/components/desk/schools'
import { cn } from '@/components/ui/cn'
import { useIsLive } from '@/components/browser/live'
import { schoolCounts } from '@/lib/api/queries'
import type { LeadList } from '@/lib/contract/lead'
import { LIST_RESTARTED } from '@/lib/inbox/search-text'
import type { MenuScreen } from './menu-screens'

type NavLinksProps = {
  screens: readonly MenuScreen[]
  shape: keyof typeof navShapes
  /** For what holds the entries: somebody is on the way. */
  onGone?: (() => void) | undefined
}

/** Entries of the menu. The chosen schools go along from screen to screen; other filters belong to their list. */
export function NavLinks({ screens, shape, onGone }: NavLinksProps) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  const hrefOf = useScreenHref()
  const { link, text } = navShapes[shape]
  return screens.map((screen) => {
    const { name, short, href, icon } = screen
    const isHere = pathname === href || pathname.startsWith(`${href}/`)
    return (
      <li key={name}>
        <DeskLink
          href={hrefOf(screen)}
          aria-current={isHere ? 'page' : undefined}
          onGo={() => {
            if (isHere) window.dispatchEvent(new CustomEvent(LIST_RESTARTED))
            onGone?.()
          }}
          className={cn(link, navLinkClass)}
        >
          {icon}
          <span className={text}>{t(shape === 'side' ? name : short)}</span>
          {name === 'questions' && <UnhandledCount list="asked-questions" shape={shape} />}
          {name === 'declarations' && <UnhandledCount list="declarations-of-interest" shape={shape} />}
        </DeskLink>
      </li>
    )
  })
}

/** How the menu looks beside the screen; and without room for that as signs: down the side, or along the lower edge of a phone. */
export const navShapes = {
  side: {
    list: 'flex flex-col gap-px',
    link: 'nav-side [&>svg]:size-4 [&>svg]:shrink-0',
    text: 'min-w-0 truncate',
  },
  short: {
    list: 'grid auto-cols-fr grid-flow-col desk:flex desk:flex-col desk:gap-1 desk:px-1',
    link: 'nav-short [&>svg]:size-5 [&>svg]:shrink-0',
    // Where not even the shortest words fit, the signs stand alone.
    text: 'max-w-full not-desk:truncate desk:wrap-anywhere max-[21rem]:sr-only low:max-[40rem]:sr-only',
  },
}

export const navLinkClass = 'nav-link'

/** The administrators' part of the menu. */
export function AdminGroup({ screens, onGone }: Omit<NavLinksProps, 'shape'>) {
  const t = useTranslations('shell')
  return (
    <section aria-label={t('administration')}>
      <p aria-hidden className="px-2.5 pb-1 text-2xs font-semibold text-faint">
        {t('administration')}
      </p>
      <ul className={navShapes.side.list}>
        <NavLinks screens={screens} shape="side" onGone={onGone} />
      </ul>
    </section>
  )
}

/** For how many leads of a list somebody has to answer, in the chosen schools. */
function UnhandledCount({ list, shape }: { list: LeadList; shape: NavLinksProps['shape'] }) {
  const t = useTranslations('shell')
  const [schools] = useSchoolFilter()
  const { unhandled = {} } = useQuery(schoolCounts(list, useIsLive())).data ?? {}
  const counted = schools.length > 0 ? schools : Object.keys(unhandled)
  const count = counted.reduce((sum, school) => sum + (unhandled[school] ?? 0), 0)
  if (count === 0) return null
  return (
    <span
      className={
        shape === 'side'
          ? 'tabular ml-auto text-xs font-semibold text-ink'
          : 'tabular absolute top-1 left-1/2 ml-0.5 low:not-desk:min-[40rem]:static low:not-desk:min-[40rem]:ml-0 rounded-full bg-status-new px-1.5 text-[0.625rem] leading-4 font-semibold text-accent-ink'
      }
    >
      <span aria-hidden>{shape !== 'side' && count > 999 ? '999+' : t('count', { count })}</span>
      <span className="sr-only">{t('unhandled', { count })}</span>
    </span>
  )
}
