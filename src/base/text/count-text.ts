/** `1,234,567`; the locale data that `Intl` loads would take longer than a plan. */
export const countText = (count: number): string => String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
