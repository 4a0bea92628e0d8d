// A uPlot chart that adapts to the width of its container and the colours of the page.

import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export type Colours = { text: string; grid: string; accent: string; good: string; bad: string; warn: string };
export type PlotOptions = (colours: Colours) => Omit<uPlot.Options, 'height' | 'width'>;

export function Plot({
  data,
  options,
  height = 220,
  label,
}: {
  data: uPlot.AlignedData;
  options: PlotOptions;
  height?: number;
  label: string;
}): VNode {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (element === null) return;
    let plot: uPlot | undefined;
    const draw = (): void => {
      plot?.destroy();
      const width = Math.max(200, element.clientWidth);
      plot = new uPlot({ ...options(readColours(element)), width, height }, data, element);
    };
    draw();
    let width = element.clientWidth;
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) return;
      width = element.clientWidth;
      plot?.setSize({ width: Math.max(200, width), height });
    });
    observer.observe(element);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', draw);
    addEventListener('assay-theme', draw);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', draw);
      removeEventListener('assay-theme', draw);
      plot?.destroy();
    };
  }, [data, options, height]);
  return <div ref={container} class="plot" role="img" aria-label={label} />;
}

function readColours(element: Element): Colours {
  const style = getComputedStyle(element);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    text: colour('dim'),
    grid: colour('line'),
    accent: colour('accent'),
    good: colour('good'),
    bad: colour('bad'),
    warn: colour('warn'),
  };
}

/** Axes in the colours of the page. */
export function axis(colours: Colours, more: uPlot.Axis = {}): uPlot.Axis {
  return {
    stroke: colours.text,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1 },
    font: '12px system-ui, sans-serif',
    ...more,
  };
}
