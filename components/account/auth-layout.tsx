'use client'

import { Languages } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { PreferenceItems } from '@/components/app/preferences'
import { Brand } from '@/components/ui/brand'
import { IconButton } from '@/components/ui/icon-button'
import { Menu } from '@/components/ui/menu'

export function AuthLayout({ title, intro, children }: { title: string; intro: string; children: ReactNode }) {
  const t = useTranslations('signin')
  return (
    <div className="flex min-h-dvh flex-col bg-bg px-5 pt-6 pb-8">
      <header className="flex items-center justify-between">
        <Brand />
        <Menu
          label={t('preferences')}
          align="end"
          trigger={(props) => <IconButton {...props} icon={Languages} label={t('preferences')} />}
        >
          {() => <PreferenceItems />}
        </Menu>
      </header>
      <main className="mx-auto my-auto w-full max-w-sm py-10">
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-1 mb-7 text-mute">{intro}</p>
        {children}
      </main>
    </div>
  )
}
