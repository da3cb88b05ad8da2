package carnet;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** It gives a list page by page. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Paged {
    /**
     * The parameter that says where a page begins.
     *
     * @return its name in the interface file
     */
    String cursor();

    /**
     * The parameter that marks the last page.
     *
     * @return its name in the interface file
     */
    String last();

    /**
     * The field of an element that the next page begins behind.
     *
     * @return its name in the interface file
     */
    String key();
}
