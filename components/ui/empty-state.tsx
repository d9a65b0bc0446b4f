import type { ReactNode } from 'react'

type EmptyStateProps = { icon: ReactNode; title: string; hint?: ReactNode; isWholeScreen?: boolean; action?: ReactNode }

export function EmptyState({ icon, title, hint, isWholeScreen = false, action }: EmptyStateProps) {
  const Title = isWholeScreen ? 'h1' : 'p'
  return (
    <div className="mx-auto flex w-full max-w-sm flex-col items-center gap-1.5 px-6 py-16 text-center low:py-6">
      <span className="mb-2 grid size-11 place-items-center rounded-lg border border-line bg-panel text-mute shadow-card [&_svg]:size-5">
        {icon}
      </span>
      <Title className="text-base font-semibold text-balance">{title}</Title>
      {hint && <div className="text-sm text-pretty text-mute">{hint}</div>}
      {action && <div className="mt-3 flex gap-2">{action}</div>}
    </div>
  )
}
