'use client'

import { useTranslations } from 'next-intl'
import { NavLinks, navShapes } from './nav-links'
import type { Screen } from './screens'

/** The administrators' part of the menu. */
export function AdminGroup({ screens }: { screens: readonly Screen[] }) {
  const t = useTranslations('shell')
  return (
    <section aria-label={t('administration')}>
      <p aria-hidden className="px-2.5 pb-1 text-2xs font-semibold text-faint">
        {t('administration')}
      </p>
      <ul className={navShapes.side.list}>
        <NavLinks screens={screens} shape="side" />
      </ul>
    </section>
  )
}
