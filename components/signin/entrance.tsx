import type { ReactNode } from 'react'
import { Brand } from '@/components/shell/brand'
import { LanguageSwitch } from './language-switch'

/** The frame of the screens before the door: one calm column. */
export function Entrance({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col bg-bg px-5 pt-6 pb-8">
      <header className="flex items-center justify-between">
        <Brand />
        <LanguageSwitch />
      </header>
      <main className="mx-auto my-auto w-full max-w-sm py-10">
        <h1 className="text-xl font-semibold">{title}</h1>
        <p className="mt-1 mb-7 text-mute">{lead}</p>
        {children}
      </main>
    </div>
  )
}
