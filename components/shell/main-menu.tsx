'use client'

import { Ellipsis } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { useIsTakenOver } from '@/components/browser/taken-over'
import { lazyDialog, lazyPart } from '@/components/desk/lazy-part'
import { cn } from '@/components/ui/cn'
import { ViewsNav } from '@/components/views/views-nav'
import type { MenuScreen } from './menu-screens'
import { AdminGroup, navLinkClass, NavLinks, navShapes } from './nav-links'

type MainMenuProps = { screens: readonly MenuScreen[] }

/** Beside the screen: everything there is, under headings. */
export function SideMenu({ screens }: MainMenuProps) {
  const t = useTranslations('shell')
  const { main, admin, hasViews } = parts(screens)
  return (
    <nav aria-label={t('mainNavigation')} className="flex flex-col gap-4">
      <ul className={navShapes.side.list}>
        <NavLinks screens={main} shape="side" />
      </ul>
      {hasViews && <Queues />}
      {hasViews && <ViewsNav />}
      {admin.length > 0 && <AdminGroup screens={admin} />}
    </nav>
  )
}

/** The same by signs: at most five entries, the last of which opens the rest. */
export function ShortMenu({ screens }: MainMenuProps) {
  const t = useTranslations('shell')
  const { main, admin, hasViews } = parts(screens)
  const [bar, rest] = [main.slice(0, IN_BAR), main.slice(IN_BAR)]
  const hasMore = hasViews || admin.length + rest.length > 0
  if (main.length + Number(hasMore) < 2) return null
  return (
    <nav aria-label={t('mainNavigation')}>
      <ul className={navShapes.short.list}>
        <NavLinks screens={bar} shape="short" />
        {hasMore && (
          <li>
            <More rest={rest} admin={admin} hasViews={hasViews} />
          </li>
        )}
      </ul>
    </nav>
  )
}

/** Beside what opens the rest. */
const IN_BAR = 4

/** Come after the screen, whose list stands without them; their room is kept. */
function Queues({ onGone }: { onGone?: () => void }) {
  return <div className="min-h-50 touch:min-h-72">{useIsTakenOver() && <QueuesNav onGone={onGone} />}</div>
}

const QueuesNav = lazyPart(async () => (await import('@/components/views/queues-nav')).QueuesNav, null, 'day')

const Dialog = lazyDialog(async () => (await import('@/components/ui/dialog')).Dialog)

/** What has no place in the bar. */
type MoreProps = { rest: readonly MenuScreen[]; admin: readonly MenuScreen[]; hasViews: boolean }

function More({ rest, admin, hasViews }: MoreProps) {
  const t = useTranslations('shell')
  const pathname = usePathname()
  const [openAt, setOpenAt] = useState<string | null>(null)
  // Going somewhere by any other way closes it too.
  const isOpen = openAt === pathname
  const close = () => setOpenAt(null)
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpenAt(pathname)}
        className={cn(navShapes.short.link, navLinkClass)}
      >
        <Ellipsis strokeWidth={1.8} aria-hidden="true" />
        <span className={navShapes.short.text}>{t('more')}</span>
      </button>
      {isOpen && (
        <Dialog open onClose={close} title={t('more')} shape="sheet">
          <div className="flex flex-col gap-4 overflow-y-auto px-3 pb-4">
            {rest.length > 0 && (
              <ul className={navShapes.side.list}>
                <NavLinks screens={rest} shape="side" onGone={close} />
              </ul>
            )}
            {hasViews && <Queues onGone={close} />}
            {hasViews && <ViewsNav onGone={close} />}
            {admin.length > 0 && <AdminGroup screens={admin} onGone={close} />}
          </div>
        </Dialog>
      )}
    </>
  )
}

function parts(screens: readonly MenuScreen[]) {
  return {
    main: screens.filter(({ group }) => group === 'main'),
    admin: screens.filter(({ group }) => group === 'admin'),
    hasViews: screens.some(({ name }) => name === 'declarations'),
  }
}
