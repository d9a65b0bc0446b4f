import type { ReactNode } from 'react'

export function SectionHeading({ id, text, count = 0 }: { id: string; text: string; count?: number }) {
  return (
    <h2 id={id} className="mb-2.5 flex items-baseline gap-2 text-sm font-semibold text-mute">
      {text}
      {count > 1 && <span className="tabular text-xs font-normal text-faint">{count}</span>}
    </h2>
  )
}

type HeadingProps = { id: string; title: string; hint: string }

export function TitledSection({ children, ...heading }: HeadingProps & { children: ReactNode }) {
  return (
    <section aria-labelledby={heading.id}>
      <CardHeading {...heading} className="mb-3" />
      {children}
    </section>
  )
}

export function CardHeading({ id, title, hint, className }: HeadingProps & { className: string }) {
  return (
    <div className={className}>
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      <p className="mt-1 max-w-prose text-sm text-pretty wrap-anywhere text-mute">{hint}</p>
    </div>
  )
}

export function PageHeader({ title, intro, action }: { title: string; intro: ReactNode; action?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-center gap-x-6 gap-y-2 desk:gap-y-0">
      <h1 className="min-w-0 text-title leading-8 font-semibold text-balance desk:flex-1">{title}</h1>
      <p className="-mt-2 w-full text-sm text-pretty wrap-anywhere text-mute desk:order-last desk:mt-0">
        {/* The intro may contain a date, which server and browser may write differently. */}
        <span suppressHydrationWarning className="block max-w-prose">
          {intro}
        </span>
      </p>
      {action}
    </header>
  )
}
