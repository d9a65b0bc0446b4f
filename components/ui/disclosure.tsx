import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'

export function Disclosure({ title, summary, children }: { title: string; summary: string; children: ReactNode }) {
  return (
    <details className="group rounded-lg border border-line bg-panel">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 rounded-lg px-3 text-sm hover:bg-hover touch:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 text-mute transition-transform group-open:rotate-90" />
        <span className="font-medium">{title}</span>
        <span className="tabular ml-auto truncate text-mute">{summary}</span>
      </summary>
      <div className="border-t border-line-soft p-2">{children}</div>
    </details>
  )
}
