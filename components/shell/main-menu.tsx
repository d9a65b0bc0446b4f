'use client'

import { Ellipsis } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { DeskLink } from '@/components/app/navigate'
import { optionalPart } from '@/components/app/lazy-part'
import { useScreenHref } from '@/components/app/schools'
import { screensOfMenu } from '@/components/app/screens'
import { cn } from '@/components/ui/cn'
import type { MenuScreen } from './menu-screens'
import { LateDialog } from '@/components/app/late-dialog'

export function SideMenu({ screens }: { screens: readonly MenuScreen[] }) {
  const t = useTranslations('shell')
  return (
    <nav aria-label={t('mainNavigation')} className="flex flex-col gap-3">
      <Entries screens={screensOfMenu(screens).filter(({ name }) => name !== 'queue')} hasViews={hasLeads(screens)} />
    </nav>
  )
}

const IN_BAR = 4

/** Where there is room for few, the queue of all that waits is one of them. */
export function ShortMenu({ screens: permitted }: { screens: readonly MenuScreen[] }) {
  const t = useTranslations('shell')
  const screens = screensOfMenu(permitted)
  const pathname = usePathname()
  const [openAt, setOpenAt] = useState<string | null>(null)
  // Going somewhere by any other way closes it too.
  const isOpen = openAt === pathname
  const close = () => setOpenAt(null)
  const shown = screens.slice(0, IN_BAR)
  const others = screens.filter((screen) => !shown.includes(screen))
  const hasMore = others.length > 0 || hasLeads(screens)
  if (shown.length + Number(hasMore) < 2) return null
  return (
    <nav aria-label={t('mainNavigation')}>
      <ul className={navShapes.short.list}>
        <NavLinks screens={shown} shape="short" />
        {hasMore && (
          <li>
            <button
              type="button"
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={() => setOpenAt(pathname)}
              className={cn(navShapes.short.link, 'nav-link')}
            >
              <Ellipsis strokeWidth={1.8} />
              <span className={navShapes.short.text}>{t('more')}</span>
            </button>
            {isOpen && (
              <LateDialog onClose={close} title={t('more')} shape="sheet">
                <div className="flex flex-col gap-4 overflow-y-auto px-3 pb-4">
                  <Entries screens={others} hasViews={hasLeads(screens)} onGone={close} />
                </div>
              </LateDialog>
            )}
          </li>
        )}
      </ul>
    </nav>
  )
}

const hasLeads = (screens: readonly MenuScreen[]) => screens.some(({ needs }) => needs === 'leads:read')

const LeadsNav = optionalPart(async () => (await import('./leads-nav')).LeadsNav)

type EntriesProps = { screens: readonly MenuScreen[]; hasViews: boolean; onGone?: () => void }

/** Queues and views load after the screen, which does not need them; their room is kept. */
function Entries({ screens, hasViews, onGone }: EntriesProps) {
  return (
    <>
      {screens.length > 0 && (
        <ul className={navShapes.side.list}>
          <NavLinks screens={screens} shape="side" onGone={onGone} />
        </ul>
      )}
      {hasViews && (
        <div className="min-h-64 touch:min-h-88">
          <LeadsNav onGone={onGone} />
        </div>
      )}
    </>
  )
}

type NavLinksProps = Pick<EntriesProps, 'screens'> & {
  shape: keyof typeof navShapes
  onGone?: (() => void) | undefined
}

/** Entries of the menu. The chosen schools go along from screen to screen; other filters belong to their list. */
function NavLinks({ screens, shape, onGone }: NavLinksProps) {
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
          {...(onGone && { onNavigate: onGone })}
          className={cn(link, 'nav-link')}
        >
          {icon}
          <span className={text}>{t(shape === 'side' ? name : short)}</span>
        </DeskLink>
      </li>
    )
  })
}

const navShapes = {
  side: { list: 'flex flex-col gap-px', link: 'nav-side [&>svg]:size-4 [&>svg]:shrink-0', text: 'min-w-0 truncate' },
  short: {
    list: 'grid auto-cols-fr grid-flow-col rail:flex rail:flex-col rail:gap-1 rail:px-1',
    link: 'nav-short [&>svg]:size-5 [&>svg]:shrink-0',
    // Where not even the shortest words fit, only the icons are shown.
    text: 'max-w-full not-rail:truncate rail:wrap-anywhere max-[21rem]:sr-only low:max-[40rem]:sr-only',
  },
}
