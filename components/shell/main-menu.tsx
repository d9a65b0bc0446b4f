'use client'

import { Ellipsis } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'
import { DeferredDialog, optionalPart } from '@/components/app/lazy-part'
import { DeskLink } from '@/components/app/navigate'
import { useScreenHref } from '@/components/app/schools'
import { type Screen, selectMenuScreens, SHORT_NAME_KEYS } from '@/components/app/screens'
import { cn } from '@/components/ui/cn'

export type MenuScreen = Screen & { icon: ReactNode }

type MenuProps = { screens: readonly MenuScreen[] }

const NAV_SHAPES = {
  side: {
    list: 'flex flex-col gap-px empty:hidden',
    link: 'nav-side [&>svg]:size-4 [&>svg]:shrink-0',
    text: 'min-w-0 truncate',
  },
  bar: {
    list: 'grid auto-cols-fr grid-flow-col rail:flex rail:flex-col rail:gap-1 rail:px-1',
    link: 'nav-short [&>svg]:size-5 [&>svg]:shrink-0',
    // Only the icons are shown where not even the shortest words fit.
    text: 'max-w-full not-rail:truncate rail:wrap-anywhere max-[21rem]:sr-only low:max-[40rem]:sr-only',
  },
}

export function SideMenu({ screens }: MenuProps) {
  const t = useTranslations('shell')
  return (
    <nav aria-label={t('mainNavigation')} className="flex flex-col gap-3">
      <NavLinks screens={selectMenuScreens(screens).filter(({ name }) => name !== 'queue')} shape="side" />
      {hasLeadScreens(screens) && <LeadsNav />}
    </nav>
  )
}

const MAX_BAR_SCREENS = 4

/** Links to the first screens on a narrow display, and behind "More" to the others, in a sheet. */
export function BarMenu({ screens }: MenuProps) {
  const t = useTranslations('shell')
  const menuScreens = selectMenuScreens(screens)
  const pathname = usePathname()
  const [openPathname, setOpenPathname] = useState<string | null>(null)
  // The sheet is open on one path only, so that it closes however the user reaches another screen.
  const isOpen = openPathname === pathname
  const close = () => setOpenPathname(null)
  const barScreens = menuScreens.slice(0, MAX_BAR_SCREENS)
  const otherScreens = menuScreens.slice(MAX_BAR_SCREENS)
  const hasMore = otherScreens.length > 0 || hasLeadScreens(screens)
  if (barScreens.length < 2 && !hasMore) return null
  return (
    <nav aria-label={t('mainNavigation')}>
      <NavLinks screens={barScreens} shape="bar">
        {hasMore && (
          <li>
            <button
              type="button"
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={() => setOpenPathname(pathname)}
              className={cn(NAV_SHAPES.bar.link, 'nav-link')}
            >
              <Ellipsis strokeWidth={1.8} />
              <span className={NAV_SHAPES.bar.text}>{t('more')}</span>
            </button>
            {isOpen && (
              <DeferredDialog onClose={close} title={t('more')} shape="sheet">
                <div className="flex flex-col gap-4 overflow-y-auto px-3 pb-4">
                  <NavLinks screens={otherScreens} shape="side" onNavigate={close} />
                  {hasLeadScreens(screens) && <LeadsNav onNavigate={close} />}
                </div>
              </DeferredDialog>
            )}
          </li>
        )}
      </NavLinks>
    </nav>
  )
}

const hasLeadScreens = (screens: MenuProps['screens']) => screens.some(({ permission }) => permission === 'leads:read')

/** The code of queues and views is loaded after the screen; a placeholder keeps their room. */
const LeadsNav = optionalPart(
  async () => (await import('./leads-nav')).LeadsNav,
  <div className="min-h-64 touch:min-h-88" />,
)

type NavLinksProps = MenuProps & { shape: keyof typeof NAV_SHAPES; onNavigate?: () => void; children?: ReactNode }

function NavLinks({ screens, shape, onNavigate, children }: NavLinksProps) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  const toHref = useScreenHref()
  const { list, link, text } = NAV_SHAPES[shape]
  return (
    <ul className={list}>
      {screens.map((screen) => {
        const { name, href, icon } = screen
        const isCurrentPage = pathname === href || pathname.startsWith(`${href}/`)
        return (
          <li key={name}>
            <DeskLink
              href={toHref(screen)}
              aria-current={isCurrentPage ? 'page' : undefined}
              onNavigate={onNavigate}
              className={cn(link, 'nav-link')}
            >
              {icon}
              <span className={text}>{t((shape === 'bar' && SHORT_NAME_KEYS[name]) || name)}</span>
            </DeskLink>
          </li>
        )
      })}
      {children}
    </ul>
  )
}
