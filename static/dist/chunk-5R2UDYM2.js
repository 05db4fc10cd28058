function e(i,d){let t=i.clientWidth;new ResizeObserver(()=>{i.clientWidth!==t&&(t=i.clientWidth,d())}).observe(i)}export{e as a};
